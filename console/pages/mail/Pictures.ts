/**
 * Images embedded in a mail. The HTML refers to them by paths that need the access token, so this module fetches them
 * and passes them to the frame.
 */
import { fetched } from "./Download.ts"

/**
 * Limits per mail: number of images, and bytes of all images. Reason: newsletters have twenty images; all are held in
 * memory.
 */
const maxPictures = 100
const maxBytes = 50_000_000

/** Parallel downloads. Reason: they share one connection to the mail server. */
const together = 3

const ours = /^\/api\/v1\/mail\/webmail\/messages\/[^/?#]+\/\d+\/attachments\/[\d.]+\?inline=true&account=[^&#]+$/

/**
 * Distinct paths of embedded images. Found with a regular expression, because a parser in this document would also
 * process the mail's styles.
 */
export const picturesIn = (html: string): ReadonlyArray<string> => {
  const paths = [...html.matchAll(/ src="([^"]+)"/g)]
    .map(([, path]) => path!.replaceAll("&amp;", "&"))
    .filter((path) => ours.test(path))
  return [...new Set(paths)].slice(0, maxPictures)
}

/** The images that could be loaded; a failed image stays blank. */
export const picturesOf = async (
  paths: ReadonlyArray<string>,
  signal: AbortSignal
): Promise<ReadonlyMap<string, Blob>> => {
  const found = new Map<string, Blob>()
  let room = maxBytes
  const waiting = [...paths]
  const work = async () => {
    for (let path = waiting.shift(); path !== undefined && room > 0 && !signal.aborted; path = waiting.shift()) {
      const picture = await fetched(path, { signal }).catch(() => undefined)
      if (picture === undefined || !/^image\/(?:png|jpeg|gif|webp)$/.test(picture.type)) continue
      room -= picture.size
      found.set(path, picture)
    }
  }
  await Promise.all(Array.from({ length: together }, work))
  return found
}
