/** Runs on the audio thread: cuts the microphone's sound into frames of 16 kHz and posts them. */
import { Framer } from "./Framing.ts"
import { StreamResampler } from "./StreamResampler.ts"

// The DOM library of TypeScript does not have the names of audio threads.
declare const sampleRate: number
declare const registerProcessor: (name: string, processor: new () => Processor) => void
declare const AudioWorkletProcessor: new () => { readonly port: MessagePort }

interface Processor {
  readonly process: (inputs: ReadonlyArray<ReadonlyArray<Float32Array>>) => boolean
}

class Microphone extends AudioWorkletProcessor implements Processor {
  readonly #resampler = new StreamResampler(sampleRate)
  readonly #framer = new Framer()

  process(inputs: ReadonlyArray<ReadonlyArray<Float32Array>>): boolean {
    const channel = inputs[0]?.[0]
    if (channel !== undefined)
      for (const frame of this.#framer.push(this.#resampler.push(channel))) this.port.postMessage(frame, [frame.buffer])
    return true
  }
}

registerProcessor("signalbox-microphone", Microphone)
