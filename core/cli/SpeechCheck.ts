/**
 * Check that the telephone switch can fetch spoken texts. A switch on another machine cannot open a loopback address:
 * its calls connect and are silent.
 */
import { Result } from "effect"
import { isIP } from "node:net"
import { platformSettings } from "../config/PlatformSettings.ts"
import * as Settings from "../config/Settings.ts"
import { switchSettings } from "../config/SwitchSettings.ts"
import { isLoopback } from "../http/ClientAddress.ts"
import { speechSettings } from "../speech/SpeechSettings.ts"
import { speechBase } from "../speech/SpeechUrl.ts"
import { type Finding, ok, warn } from "./Finding.ts"

const check = "spoken texts"

/** Nothing without a switch, or when a setting is invalid, which another check reports. Pure. */
export const speechFindings = (env: Settings.Env): ReadonlyArray<Finding> => {
  const loaded = Settings.load(
    {
      host: switchSettings.switchHost,
      bind: platformSettings.bind,
      gatewayPort: platformSettings.gatewayPort,
      speechDir: speechSettings.speechDir,
      speechBaseUrl: speechSettings.speechBaseUrl
    },
    env
  )
  if (Result.isFailure(loaded) || loaded.success.host === undefined) return []
  const { bind, gatewayPort, host, speechBaseUrl, speechDir } = loaded.success
  if (speechDir !== undefined) return [ok(check, `the switch reads them from ${speechDir}`)]
  const base = speechBaseUrl ?? speechBase(bind, gatewayPort)
  return isOwn(host) || !isOwn(new URL(base).hostname)
    ? [ok(check, `the switch fetches them from ${base}`)]
    : [
        warn(
          check,
          `the switch at ${host} cannot fetch them from ${base}: set SIGNALBOX_SPEECH_BASE_URL to an address of this ` +
            "machine that the switch reaches, or SIGNALBOX_SPEECH_DIR to a folder that both share"
        )
      ]
}

/** Whether a host is this machine by its name or address. */
const isOwn = (host: string): boolean => {
  const bare = host.replace(/^\[(.*)\]$/, "$1").toLowerCase()
  return isIP(bare) === 0 ? bare === "localhost" || bare.endsWith(".localhost") : isLoopback(bare)
}
