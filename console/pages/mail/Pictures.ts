/**
 * Pictures that came with a mail: its page names them by paths of ours, which want the reader's token, so they are
 * fetched here and handed over.
 */
import { fetched } from "./Download.ts"

/**
 * What is fetched for one page. Unit: pictures, bytes of all of them. Reason: newsletters have twenty; all lie in
 * memory.
 */
const maxPictures = 100
const maxBytes = 50_000_000

/** At a time. Reason: they come over one connection to the mail server. */
const together = 3

const ours = /^\/api\/v1\/mail\/webmail\/messages\/[^/?#]+\/\d+\/attachments\/[\d.]+\?inline=true&account=[^&#]+$/

/** Paths of pictures in a cleaned page, each once. Read as text: a parser here would look at its styles, too. */
export const picturesIn = (html: string): ReadonlyArray<string> => {
  const paths = [...html.matchAll(/ src="([^"]+)"/g)]
    .map(([, path]) => path!.replaceAll("&amp;", "&"))
    .filter((path) => ours.test(path))
  return [...new Set(paths)].slice(0, maxPictures)
}

/** Those that could be had; one that fails leaves its place empty. */
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
