/**
 * WebRTC audio of one call: sip.js's handler with the configured codecs in their order. Loaded together
 * with Line.ts, which the softphone loads when it is needed.
 */
import { type Session, Web } from "sip.js"
import { inOrder } from "./Codecs.ts"
import { openMicrophone } from "./Devices.ts"

export interface MediaOptions {
  /** Codec names, the preferred one first. */
  readonly codecs: ReadonlyArray<string>
  /** Limit for gathering ICE candidates. Unit: milliseconds. */
  readonly iceGatheringTimeout: number
  readonly iceServers: ReadonlyArray<string>
}

export class MediaHandler extends Web.SessionDescriptionHandler {
  readonly #codecs: ReadonlyArray<string>

  constructor(logger: ConstructorParameters<typeof Web.SessionDescriptionHandler>[0], options: MediaOptions) {
    super(logger, openMicrophone, {
      iceGatheringTimeout: options.iceGatheringTimeout,
      // Empty when the switch has a public address. Without this setting, sip.js would use a public server of another
      // company.
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

  /** Sender of the microphone audio; undefined before there is one. */
  get sender(): RTCRtpSender | undefined {
    return this.peerConnection?.getSenders().find(({ track }) => track?.kind === "audio")
  }
}

/** The media handler of a session; undefined when there is none yet. */
export const mediaOf = (session: Session | undefined): MediaHandler | undefined =>
  session?.sessionDescriptionHandler instanceof MediaHandler ? session.sessionDescriptionHandler : undefined
