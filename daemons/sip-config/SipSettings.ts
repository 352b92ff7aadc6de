/** What the environment says of telephony, for handlers. */
import { Context, Layer } from "effect"
import type { SipConfigConfig } from "./Config.ts"

export class SipSettings extends Context.Service<SipSettings, SipConfigConfig>()("signalbox/sip-config/SipSettings") {}

export const layer = (config: SipConfigConfig) => Layer.succeed(SipSettings, SipSettings.of(config))
