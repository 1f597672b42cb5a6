import { readdir, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { absent, readJson, unfinished } from './disk.ts'
import { contentPath, objectsFolder, StoredObject } from './objects.ts'
import { inTurn } from './turns.ts'
import { Upload, uploadsFolder } from './uploads.ts'

/** In milliseconds: an upload that has received nothing for so long is deleted. */
const patience = 24 * 60 * 60_000

/** Deletes abandoned uploads, files without a metadata record, and files that a crash left half written. */
export async function expireUploads(dataFolder: string, now: number): Promise<void> {
  const isOld = async (path: string) => {
    const found = await stat(path).catch(absent)
    return !found || found.mtimeMs < now - patience
  }
  for (const file of await filesIn(uploadsFolder(dataFolder))) {
    const path = join(uploadsFolder(dataFolder), file)
    const [id = ''] = file.split('.')
    await inTurn(id, async () => {
      if (!(await isOld(path))) return
      const upload = file.endsWith(unfinished) ? null : await readJson(path, Upload)
      if (!upload || (await isOld(contentPath(dataFolder, upload.name, id)))) await rm(path, { force: true })
    })
  }
  const going = new Set(await filesIn(uploadsFolder(dataFolder)))
  const folder = objectsFolder(dataFolder)
  for (const file of await filesIn(folder)) {
    const [hash = '', content = ''] = file.split('.')
    if (file === `${hash}.json` || going.has(`${content}.json`) || !(await isOld(join(folder, file))))
      continue
    const object = await readJson(join(folder, `${hash}.json`), StoredObject)
    if (file.endsWith(unfinished) || object?.content !== content)
      await rm(join(folder, file), { force: true })
  }
}

async function filesIn(folder: string): Promise<string[]> {
  return (await readdir(folder).catch(absent)) ?? []
}
