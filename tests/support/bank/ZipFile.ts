/** ZIP archives for tests, also damaged ones. Source: PKWARE APPNOTE 6.3. */
import { crc32, deflateRawSync } from "node:zlib"

export interface Member {
  readonly name: string
  readonly content: Buffer
  /** Size that the archive states. */
  readonly stated?: number
  readonly crc?: number
}

/** A ZIP archive with deflated files. */
export const zip = (...members: ReadonlyArray<Member>): Buffer => {
  const local: Array<Buffer> = []
  const directory: Array<Buffer> = []
  let offset = 0
  for (const { content, crc = crc32(content), name, stated = content.length } of members) {
    const data = deflateRawSync(content)
    const fields = Buffer.alloc(26)
    fields.writeUInt16LE(20, 0)
    fields.writeUInt16LE(8, 4)
    fields.writeUInt32LE(crc, 10)
    fields.writeUInt32LE(data.length, 14)
    fields.writeUInt32LE(stated, 18)
    fields.writeUInt16LE(Buffer.byteLength(name), 22)
    const part = Buffer.concat([Buffer.from("PK\u0003\u0004"), fields, Buffer.from(name), data])
    const rest = Buffer.alloc(14)
    rest.writeUInt32LE(offset, 10)
    directory.push(Buffer.concat([Buffer.from("PK\u0001\u0002\u0014\u0000"), fields, rest, Buffer.from(name)]))
    local.push(part)
    offset += part.length
  }
  const size = directory.reduce((sum, one) => sum + one.length, 0)
  const end = Buffer.alloc(18)
  end.writeUInt16LE(members.length, 4)
  end.writeUInt16LE(members.length, 6)
  end.writeUInt32LE(size, 8)
  end.writeUInt32LE(offset, 12)
  return Buffer.concat([...local, ...directory, Buffer.from("PK\u0005\u0006"), end])
}
