/** An answer of the daemon under measurement, for a floor that repeats it. */
import { request } from "node:http"

/** One answer of the daemon. */
export interface FloorOrder {
  /** Default: 200. */
  readonly status?: number
  /** Header names and values, alternating. */
  readonly headers: ReadonlyArray<string>
  readonly body: Uint8Array
}

/** The answer to a request, without the headers that Node adds itself. */
export const sample = (
  port: number,
  { headers, path }: { readonly path: string; readonly headers: Readonly<Record<string, string>> }
): Promise<FloorOrder> =>
  new Promise((resolve, reject) => {
    request({ port, host: "127.0.0.1", path, headers, agent: false }, (response) => {
      const chunks: Array<Buffer> = []
      response
        .on("data", (chunk: Buffer) => chunks.push(chunk))
        .on("end", () => {
          const raw = response.rawHeaders
          const kept = raw.filter((_, index) => !/^(date|connection|keep-alive)$/i.test(raw[index - (index % 2)]!))
          resolve({ status: response.statusCode ?? 200, headers: kept, body: Buffer.concat(chunks) })
        })
    })
      .on("error", reject)
      .end()
  })
