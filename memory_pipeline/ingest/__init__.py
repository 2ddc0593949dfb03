"""From files to stored messages: readers, masking, quarantine, the landing folder."""
