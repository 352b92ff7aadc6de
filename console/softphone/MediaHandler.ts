/**
 * The sound of one call as WebRTC makes it: sip.js's own handler with our codecs, in our order. Loaded with the line.
 */
import { type Session, Web } from "sip.js"
import { inOrder } from "./Codecs.ts"
import { openMicrophone } from "./Devices.ts"

export interface MediaOptions {
  /** The preferred one first. */
  readonly codecs: ReadonlyArray<string>
  /** How long addresses are gathered. Unit: milliseconds. */
  readonly iceGatheringTimeout: number
  readonly iceServers: ReadonlyArray<string>
}

export class MediaHandler extends Web.SessionDescriptionHandler {
  readonly #codecs: ReadonlyArray<string>

  constructor(logger: ConstructorParameters<typeof Web.SessionDescriptionHandler>[0], options: MediaOptions) {
    super(logger, openMicrophone, {
      iceGatheringTimeout: options.iceGatheringTimeout,
      // None, where the switch stands on its public address: what sip.js would take by itself are somebody else's.
      peerConnectionConfiguration: { iceServers: options.iceServers.map((urls) => ({ urls })) }
    })
    this.#codecs = options.codecs
  }

  protected override createLocalOfferOrAnswer(
    options?: Web.SessionDescriptionHandlerOptions
  ): Promise<RTCSessionDescriptionInit> {
    const able = RTCRtpReceiver.getCapabilities("audio")?.codecs ?? []
    const wanted = inOrder(able, this.#codecs)
    for (const transceiver of this.peerConnection?.getTransceivers() ?? []) {
      if (wanted.length > 0 && transceiver.receiver.track.kind === "audio") transceiver.setCodecPreferences([...wanted])
    }
    return super.createLocalOfferOrAnswer(options)
  }

  /** Sends from another microphone from now on. */
  async speakInto(track: MediaStreamTrack): Promise<void> {
    await this.setLocalMediaStream(new MediaStream([track]))
  }

  /** What sends our voice; undefined before there is one. */
  get sender(): RTCRtpSender | undefined {
    return this.peerConnection?.getSenders().find(({ track }) => track?.kind === "audio")
  }
}

/** Of a session of ours. */
export const mediaOf = (session: Session | undefined): MediaHandler | undefined =>
  session?.sessionDescriptionHandler instanceof MediaHandler ? session.sessionDescriptionHandler : undefined
