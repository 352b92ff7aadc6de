/**
 * Serves files of the speech cache over HTTP as a plain node handler. The caller supplies the authorisation check
 * (`SpeechUrl`). Every refusal is a 404.
 */
import { constants } from "node:fs"
import { type FileHandle, open } from "node:fs/promises"
import { join } from "node:path"
import { pipeline } from "node:stream/promises"
import type { FastHandler } from "../lane/FastLane.ts"
import { sendProblem } from "../http/NodeProblem.ts"
import { type AudioFormat, contentTypes } from "./Audio.ts"

/**
 * How long a reader may stall. Unit: milliseconds. Reason: a switch on the same network reads the file without pause.
 */
const stallTimeout = 30_000

/**
 * Creates the handler. `admit` returns the file name (`Audio.audioName`) for a request target, or undefined to refuse.
 */
export const serve =
  (directory: string, admit: (target: string) => Promise<string | undefined>): FastHandler =>
  async (request, response) => {
    const name = await admit(request.url ?? "")
    const file = name === undefined ? undefined : await openFile(join(directory, name))
    if (name === undefined || file === undefined) return sendProblem(response, 404)
    try {
      response.setTimeout(stallTimeout, () => response.destroy())
      response.writeHead(200, {
        "content-type": contentTypes[name.slice(name.indexOf(".") + 1) as AudioFormat],
        "content-length": file.size,
        "cache-control": "private, max-age=300",
        "x-content-type-options": "nosniff"
      })
      if (request.method === "HEAD") return void response.end()
      await pipeline(file.handle.createReadStream({ autoClose: false, end: Math.max(0, file.size - 1) }), response)
    } catch (error) {
      // The client closed the connection, so there is nobody to report to.
      if (!response.destroyed) throw error
    } finally {
      await file.handle.close()
    }
  }

/** Opens a regular file without following links; undefined when there is none. */
const openFile = async (path: string): Promise<{ readonly handle: FileHandle; readonly size: number } | undefined> => {
  const handle = await open(path, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK).catch(
    () => undefined
  )
  const stats = await handle?.stat()
  if (handle === undefined || stats === undefined) return undefined
  if (stats.isFile() && stats.size > 0) return { handle, size: stats.size }
  await handle.close()
  return undefined
}
