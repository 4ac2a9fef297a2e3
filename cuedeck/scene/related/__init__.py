"""The related tier: what nobody linked but the task most likely needs, ranked without any model call."""
