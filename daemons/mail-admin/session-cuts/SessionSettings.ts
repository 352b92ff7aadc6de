import type { SettingProblem, Values } from "#core/config/Settings.ts"
import * as Settings from "#core/config/Settings.ts"

export const sessionSettings = {
  doveadmUrl: Settings.httpAddress("SIGNALBOX_DOVEADM_URL", {
    doc:
      "Address of doveadm's HTTP API, which ends the sessions of a mailbox that is suspended, deleted or gets a new " +
      "password; unset: the sessions stay open"
  }),
  doveadmKey: Settings.secret("SIGNALBOX_DOVEADM_KEY", { doc: "doveadm_api_key of the server SIGNALBOX_DOVEADM_URL" })
}

/** Problems of the combination of settings. */
export const conflicts = ({ doveadmKey, doveadmUrl }: Values<typeof sessionSettings>): ReadonlyArray<SettingProblem> =>
  doveadmUrl !== undefined && doveadmKey === undefined
    ? [{ name: "SIGNALBOX_DOVEADM_KEY", message: "is required with SIGNALBOX_DOVEADM_URL" }]
    : []
