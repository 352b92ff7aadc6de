/** Selects and orders the offered codecs. Pure. Source: interface document 2 §2.3. */

/** A codec that the browser supports, `RTCRtpCodec`. */
export interface Codec {
  /** Such as `audio/opus`. */
  readonly mimeType: string
}

/** Codec that carries key presses (DTMF) during a call. Source: RFC 4733. */
const keys = "telephone-event"

/**
 * Codecs of `able` that are in `names` (`opus`, `PCMA`), in that order, then the codec for keys. All others are left
 * out.
 */
export const inOrder = <C extends Codec>(able: ReadonlyArray<C>, names: ReadonlyArray<string>): ReadonlyArray<C> =>
  [...names, keys].flatMap((name) =>
    able.filter(({ mimeType }) => mimeType.toLowerCase() === `audio/${name.toLowerCase()}`)
  )
