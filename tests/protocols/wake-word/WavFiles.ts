/** Writes WAV files of every kind, for tests. */

export interface WavKind {
  readonly encoding: "pcm" | "float"
  readonly bits: number
  readonly channels: number
  readonly rate: number
  readonly extensible?: boolean
}

/** `samples`: one array for each channel, full scale 1. */
export const wavFile = (
  { bits, channels, encoding, extensible = false, rate }: WavKind,
  samples: ReadonlyArray<ArrayLike<number>>
): Buffer => {
  const frames = samples[0]!.length
  const data = Buffer.alloc((frames * channels * bits) / 8)
  let at = 0
  for (let frame = 0; frame < frames; frame++)
    for (let channel = 0; channel < channels; channel++) {
      const value = samples[channel]![frame]!
      if (encoding === "float") at = bits === 32 ? data.writeFloatLE(value, at) : data.writeDoubleLE(value, at)
      else if (bits === 8) at = data.writeUInt8(Math.max(0, Math.min(255, Math.round(value * 128) + 128)), at)
      else {
        const full = 2 ** (bits - 1)
        at = data.writeIntLE(Math.max(-full, Math.min(full - 1, Math.round(value * full))), at, bits / 8)
      }
    }
  const code = encoding === "pcm" ? 1 : 3
  const format = Buffer.alloc(extensible ? 40 : 16)
  format.writeUInt16LE(extensible ? 0xfffe : code, 0)
  format.writeUInt16LE(channels, 2)
  format.writeUInt32LE(rate, 4)
  format.writeUInt32LE((rate * channels * bits) / 8, 8)
  format.writeUInt16LE((channels * bits) / 8, 12)
  format.writeUInt16LE(bits, 14)
  if (extensible) {
    format.writeUInt16LE(22, 16)
    format.writeUInt16LE(code, 24)
    Buffer.from("000000001000800000aa00389b71", "hex").copy(format, 26)
  }
  return riff([
    ["fmt ", format],
    ["LIST", Buffer.from("INFOabc")],
    ["data", data]
  ])
}

export const riff = (chunks: ReadonlyArray<readonly [string, Buffer]>): Buffer => {
  const parts = chunks.map(([name, body]) => {
    const head = Buffer.alloc(8)
    head.write(name, "latin1")
    head.writeUInt32LE(body.length, 4)
    return Buffer.concat([head, body, Buffer.alloc(body.length % 2)])
  })
  const body = Buffer.concat([Buffer.from("WAVE"), ...parts])
  const head = Buffer.alloc(8)
  head.write("RIFF", "latin1")
  head.writeUInt32LE(body.length, 4)
  return Buffer.concat([head, body])
}

export const sine = (hertz: number, rate: number, seconds: number, level = 0.5): Float64Array =>
  Float64Array.from(
    { length: Math.round(rate * seconds) },
    (_, at) => level * Math.sin((2 * Math.PI * hertz * at) / rate)
  )
