"""Imports coding agents' trajectories: SWE-agent's `.traj` and mini-swe-agent's `.traj.json`."""
