/**
 * Files of a ZIP archive in memory, bounded. Names are only labels and never paths; directories are left out. The
 * library yauzl reads the directory and inflates; the checksum is compared here. Source: PKWARE APPNOTE 6.3.
 */
import { crc32 } from "node:zlib"
import { Effect } from "effect"
import { type Entry, fromBufferPromise, type ZipFile } from "yauzl"
import { BankFormatsError, malformed, tooLarge } from "./BankFormatsError.ts"

export interface ZippedFile {
  readonly name: string
  readonly bytes: Buffer
}

/**
 * Maximum number of files. Reason: banks send one per account and day; a range of a year with three accounts has 1,100.
 */
export const maxFiles = 5_000

/** Maximum number of bytes of all files together, inflated. Unit: bytes. Reason: they are in memory as a whole. */
export const maxInflated = 1_024 * 1024 * 1024

/** Highest ratio of inflated to compressed bytes of a file. Reason: camt has 10 to 40; deflate reaches 1,032. */
export const maxRatio = 200

/** Inflated size below which the ratio does not count. Unit: bytes. Reason: small files may repeat one line. */
export const ratioFrom = 1_048_576

export interface ZipLimits {
  readonly files: number
  readonly inflated: number
}

/** All files in the order of the archive. Fails as a whole when one is damaged or a bound is exceeded. */
export const unzip = (
  bytes: Uint8Array,
  limits: ZipLimits = { files: maxFiles, inflated: maxInflated }
): Effect.Effect<ReadonlyArray<ZippedFile>, BankFormatsError> =>
  Effect.tryPromise({ try: () => read(bytes, limits), catch: zipError })

/** Error of reading an archive. */
export const zipError = (error: unknown): BankFormatsError =>
  error instanceof BankFormatsError ? error : malformed("the ZIP archive is damaged")

const read = async (bytes: Uint8Array, limits: ZipLimits): Promise<ReadonlyArray<ZippedFile>> => {
  const files: Array<ZippedFile> = []
  for await (const { content, name } of zipped(bytes, limits)) {
    const chunks: Array<Buffer> = []
    for await (const chunk of content) chunks.push(chunk)
    files.push({ name, bytes: Buffer.concat(chunks) })
  }
  return files
}

/**
 * Files of an archive one after the other, in flat memory. `content` throws when the file is damaged; it is read before
 * the next file. Throws `BankFormatsError`, and errors of yauzl for a damaged directory.
 */
export async function* zipped(
  bytes: Uint8Array,
  limits: ZipLimits = { files: maxFiles, inflated: maxInflated }
): AsyncGenerator<{ readonly name: string; readonly content: AsyncGenerator<Buffer> }> {
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  const zip = await fromBufferPromise(buffer, { lazyEntries: true, decodeStrings: false, validateEntrySizes: true })
  if (zip.entryCount > limits.files) throw tooLarge("maxFiles")
  let files = 0
  let room = limits.inflated
  for await (const entry of zip.eachEntry()) {
    // Not decoded, because yauzl refuses names that are no safe paths.
    const name = Buffer.from(entry.fileName).toString("utf8")
    if (name.endsWith("/")) continue
    if (++files > limits.files) throw tooLarge("maxFiles")
    if (entry.uncompressedSize > room) throw tooLarge("maxInflated")
    if (entry.uncompressedSize > ratioFrom && entry.uncompressedSize > entry.compressedSize * maxRatio)
      throw tooLarge("maxRatio")
    room -= entry.uncompressedSize
    yield { name, content: contentOf(zip, entry) }
  }
}

/** The stream fails when there are more or fewer bytes than the directory of the archive says. */
async function* contentOf(zip: ZipFile, entry: Entry): AsyncGenerator<Buffer> {
  let checksum = 0
  for await (const chunk of await zip.openReadStreamPromise(entry)) {
    checksum = crc32(chunk as Buffer, checksum)
    yield chunk as Buffer
  }
  if (checksum !== entry.crc32) throw malformed("a file of the ZIP archive has another checksum")
}
