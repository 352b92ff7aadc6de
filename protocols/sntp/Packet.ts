/** Packets of the simple network time protocol. Pure. Source: RFC 4330 §4, §5; RFC 5905 §7.3. */
import { Result } from "effect"

/** Length of a packet without extensions. Unit: bytes. */
export const packetLength = 48

/** Seconds between 1900, where NTP begins, and 1970. */
const since1900 = 2_208_988_800

/** Seconds of one era of NTP. */
const era = 2 ** 32

/** Request of a client in version 4. `nonce`: 8 bytes that the answer repeats. */
export const encodeRequest = (nonce: Uint8Array): Buffer => {
  const packet = Buffer.alloc(packetLength)
  packet[0] = (4 << 3) | 3
  packet.set(nonce.subarray(0, 8), 40)
  return packet
}

export interface ServerTimes {
  /** When the server received the request and sent the answer. Units: milliseconds since 1970. */
  readonly received: number
  readonly sent: number
}

/** Decodes an answer to the request with this nonce. The failure is a sentence. */
export const decodeAnswer = (packet: Uint8Array, nonce: Uint8Array): Result.Result<ServerTimes, string> => {
  if (packet.length < packetLength) return Result.fail("answer is too short")
  const view = Buffer.from(packet.buffer, packet.byteOffset, packet.length)
  if ((view[0]! & 7) !== 4) return Result.fail("answer is not of a server")
  if (!view.subarray(24, 32).equals(Buffer.from(nonce.subarray(0, 8))))
    return Result.fail("answer is to another request")
  const stratum = view[1]!
  if (stratum === 0) return Result.fail("server refuses to answer (kiss of death)")
  if (stratum > 15 || view[0]! >> 6 === 3) return Result.fail("server has no time itself")
  return Result.succeed({ received: timeAt(view, 32), sent: timeAt(view, 40) })
}

/** Timestamp as milliseconds since 1970. Values before 1968 belong to the next era. Source: RFC 4330 §3. */
const timeAt = (view: Buffer, at: number): number => {
  const seconds = view.readUInt32BE(at)
  const whole = (seconds >= 2 ** 31 ? seconds : seconds + era) - since1900
  return 1_000 * (whole + view.readUInt32BE(at + 4) / era)
}

/** Offset of the server's clock from ours, and the time on the way. Units: milliseconds. Source: RFC 4330 §5. */
export const compare = (asked: number, answered: number, { received, sent }: ServerTimes) => ({
  offset: (received - asked + (sent - answered)) / 2,
  roundTrip: Math.max(0, answered - asked - (sent - received))
})
