/**
 * The part of the protobuf encoding that ONNX files need. Pure; knows no message. protobufjs 8 (BSD) would do it with a
 * schema of 30 KB; an ONNX file needs four kinds of fields. Source: protobuf.dev, "Encoding".
 */
import { Result } from "effect"
import { badModel, type WakeWordError } from "./WakeWordError.ts"

/** Field with a non-negative integer below 2^53. */
export const integer = (field: number, value: number): Uint8Array =>
  Uint8Array.from([...varint(field * 8), ...varint(value)])

/** Field with a 32-bit float. */
export const float = (field: number, value: number): Uint8Array => {
  const bytes = new Uint8Array(4)
  new DataView(bytes.buffer).setFloat32(0, value, true)
  return joined([Uint8Array.from(varint(field * 8 + 5)), bytes])
}

/** Field with bytes, text or an inner message. */
export const bytes = (field: number, value: Uint8Array | string): Uint8Array => {
  const content = typeof value === "string" ? new TextEncoder().encode(value) : value
  return joined([Uint8Array.from([...varint(field * 8 + 2), ...varint(content.length)]), content])
}

/** A message of the fields, as a field of another message. */
export const message = (field: number, fields: ReadonlyArray<Uint8Array>): Uint8Array => bytes(field, joined(fields))

export const joined = (parts: ReadonlyArray<Uint8Array>): Uint8Array => {
  const all = new Uint8Array(parts.reduce((length, part) => length + part.length, 0))
  let at = 0
  for (const part of parts) {
    all.set(part, at)
    at += part.length
  }
  return all
}

const varint = (value: number): Array<number> =>
  value < 128 ? [value] : [(value % 128) + 128, ...varint(Math.floor(value / 128))]

/** A field as it stands in a message. `content` is empty for numbers. */
export interface Field {
  readonly number: number
  readonly content: Uint8Array
}

/**
 * Maximum number of fields of one message. Reason: a model of ours has eight; a file of a stranger may have any number.
 */
const maxFields = 10_000

/** Fields of a message without those of inner messages. Fails with `BadModel`, never reads beyond the bytes. */
export const readFields = (message: Uint8Array): Result.Result<ReadonlyArray<Field>, WakeWordError> => {
  const fields: Array<Field> = []
  let at = 0
  const next = (): number => {
    let value = 0
    for (let factor = 1; factor < 2 ** 70 && at < message.length; factor *= 128) {
      const byte = message[at++]!
      value += (byte & 127) * factor
      if (byte < 128) return value
    }
    return Number.NaN
  }
  while (at < message.length) {
    const key = next()
    const number = Math.floor(key / 8)
    const kind = key % 8
    const length = kind === 0 ? 0 : kind === 1 ? 8 : kind === 2 ? next() : kind === 5 ? 4 : Number.NaN
    if (kind === 0 && Number.isNaN(next())) return Result.fail(badModel("it is no protobuf message"))
    // Also false for NaN.
    if (!(at + length <= message.length) || fields.length >= maxFields)
      return Result.fail(badModel("it is no protobuf message"))
    fields.push({ number, content: kind === 2 ? message.subarray(at, at + length) : new Uint8Array() })
    at += length
  }
  return Result.succeed(fields)
}
