/** Compresses answers that are sent many times, and compares their entity tags. */
import { promisify } from "node:util"
import * as zlib from "node:zlib"
import type { Encoding } from "./Encoding.ts"

/** Minimum size of a compressed answer. Unit: bytes. Reason: a smaller one fits into one packet anyway. */
export const worthCompressing = 1_024

/**
 * Default quality of Brotli, from 0 to 11. Reason: with 9, a text of 20 KB is hardly smaller, for tables of 32 MB and a
 * hundred times the processor time (55 ms against 0.6, on a slow machine); with 11 it is a tenth smaller, for thirty
 * times.
 */
const brotliQuality = 7

/** Quality of Brotli and level of gzip for one answer. */
export interface Levels {
  /** Range: 0 to 11. */
  readonly brotli: number
  /** Range: 0 to 9. */
  readonly gzip: number
}

const small: Levels = { brotli: brotliQuality, gzip: zlib.constants.Z_BEST_COMPRESSION }

const [brotli, gzip] = [promisify(zlib.brotliCompress), promisify(zlib.gzip)]

/** Compresses in Node's thread pool. `levels`: lower ones for a large answer that must be ready soon. */
export const compressed = (
  encoding: Exclude<Encoding, "identity">,
  bytes: Buffer,
  levels: Levels = small
): Promise<Buffer> =>
  encoding === "gzip"
    ? gzip(bytes, { level: levels.gzip })
    : brotli(bytes, {
        params: {
          [zlib.constants.BROTLI_PARAM_QUALITY]: levels.brotli,
          [zlib.constants.BROTLI_PARAM_SIZE_HINT]: bytes.length
        }
      })

/**
 * Whether `If-None-Match` names this entity tag. Weak comparison, because compressing proxies weaken tags. Source: RFC
 * 9110 §13.1.2.
 */
export const matches = (condition: string, etag: string): boolean =>
  condition === etag ||
  condition.trim() === "*" ||
  condition.split(",").some((tag) => tag.trim().replace(/^W\//, "") === etag)
