/** Which codecs are offered, the preferred ones first. Pure. Source: interface document 2 §2.3. */

/** One of what a browser can do, `RTCRtpCodec`. */
export interface Codec {
  /** `audio/opus`. */
  readonly mimeType: string
}

/** Carries the keys that are pressed during a call; not a sound. Source: RFC 4733. */
const keys = "telephone-event"

/**
 * Those of `able` that `names` speak of (`opus`, `PCMA`), in that order, then what carries keys; all others are left
 * out.
 */
export const inOrder = <C extends Codec>(able: ReadonlyArray<C>, names: ReadonlyArray<string>): ReadonlyArray<C> =>
  [...names, keys].flatMap((name) =>
    able.filter(({ mimeType }) => mimeType.toLowerCase() === `audio/${name.toLowerCase()}`)
  )
