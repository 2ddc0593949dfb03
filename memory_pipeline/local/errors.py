"""What can go wrong with the embedded services. Every message names the remedy, none a secret."""


class ServiceError(RuntimeError):
    """An embedded or external service is not usable as asked."""


class UnknownLogin(ServiceError):
    """This home knows no such login."""


class HomeError(ServiceError):
    """The home folder cannot be used by this account, or not in this place."""


class StartError(ServiceError):
    """An embedded service did not come up in time."""


class RightsError(ServiceError):
    """An external server's login lacks a right; the message has what its admin must run."""
