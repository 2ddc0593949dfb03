"""The commands, by what they are about. Each is thin: it calls the package and shows what comes back."""
