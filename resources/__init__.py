"""Everything outside the process: storage, workers that can be killed, OCR, the home folder."""
