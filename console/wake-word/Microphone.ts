/** Opens the microphone and gives its sound as frames of 16 kHz. */
import { sampleRate } from "../../protocols/wake-word/Shape.ts"
// oxlint-disable-next-line import/default -- Vite replaces the module by its address.
import worklet from "./microphoneWorklet.ts?worker&url"

export interface Microphone {
  /** Releases the microphone. */
  readonly close: () => void
}

/** One channel; without noise suppression, which cuts quiet parts of words away. */
const constraints: MediaStreamConstraints = {
  audio: { channelCount: 1, echoCancellation: true, noiseSuppression: false, autoGainControl: true }
}

/** Whether the browser gives this page a microphone, which it does not over plain http. */
export const hasMicrophone = (): boolean =>
  navigator.mediaDevices !== undefined && typeof AudioWorkletNode === "function"

const defaultMicrophone = (): Promise<MediaStream> =>
  hasMicrophone()
    ? navigator.mediaDevices.getUserMedia(constraints)
    : Promise.reject(new DOMException("This page gets no microphone.", "NotSupportedError"))

/**
 * Calls `frame` with each frame of 256 samples; `ended` when the device goes away. `open`: another way to a stream.
 * Call it after a click, because browsers start no sound before. Rejects with a DOMException: `NotAllowedError` when
 * the user refuses, `NotFoundError` without a device.
 */
export const openMicrophone = async (
  frame: (samples: Int16Array<ArrayBuffer>) => void,
  ended: () => void,
  open: () => Promise<MediaStream> = defaultMicrophone
): Promise<Microphone> => {
  const stream = await open()
  const stop = () => stream.getTracks().forEach((track) => track.stop())
  let context: AudioContext | undefined
  try {
    const [sound, source] = connect(stream)
    context = sound
    await sound.audioWorklet.addModule(worklet)
    const node = new AudioWorkletNode(sound, "signalbox-microphone", { numberOfOutputs: 0 })
    node.port.onmessage = ({ data }: MessageEvent<Int16Array<ArrayBuffer>>) => frame(data)
    source.connect(node)
    await sound.resume()
    stream.getAudioTracks()[0]?.addEventListener("ended", ended)
    return {
      close: () => {
        node.port.onmessage = null
        stop()
        void sound.close()
      }
    }
  } catch (error) {
    stop()
    void context?.close()
    throw error
  }
}

/** Chromium and Safari resample the microphone. Firefox refuses a context of another rate; there the worklet does. */
const connect = (stream: MediaStream): readonly [AudioContext, MediaStreamAudioSourceNode] => {
  let resampling: AudioContext | undefined
  try {
    resampling = new AudioContext({ sampleRate })
    return [resampling, resampling.createMediaStreamSource(stream)]
  } catch {
    void resampling?.close()
    const plain = new AudioContext()
    return [plain, plain.createMediaStreamSource(stream)]
  }
}
