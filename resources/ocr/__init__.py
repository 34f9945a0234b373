"""OCR engines behind one interface: one file each, which registers itself."""

from resources.ocr._base import ENGINES, Engine, PageFault, Pixels, RemoteReader, engine_named

__all__ = ["ENGINES", "Engine", "PageFault", "Pixels", "RemoteReader", "engine_named"]
