"""Stage 1: the files of a batch as documents."""

from assets._stage import Work, stage
from resources.tables import ParquetCheck
from stepforge import documents as domain
from stepforge.outcome import Outcome
from stepforge.records import Document


@stage(record=Document, group="sources", external="batch_files", key=lambda d: d.path)
def documents(work: Work) -> Outcome[Document]:
    """Source files as they arrived: what each is, which source reads it, its licence and its dates."""
    manifest = work.home.batches.get(work.partition or "")
    settings = manifest.settings
    info = domain.BatchInfo(
        manifest.batch, settings.licence, settings.published_on, settings.allow_missing_images, settings.answers
    )
    files = [domain.FileEntry(f.path, f.sha256, f.size_bytes, f.arrived_at, f.refused) for f in manifest.files]
    with ParquetCheck() as check:
        return domain.documents(info, files, work.home.blobs.get, work.begin(len(files)), check)
