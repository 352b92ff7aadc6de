import ipaddr from "ipaddr.js"
import * as Settings from "#core/config/Settings.ts"
import type { Values } from "#core/config/Settings.ts"
import type { Place } from "#core/daemon/PortActor.ts"
import { policySocket, postfixDir } from "../mail-server/Exports.ts"

const cidrProblem = (range: string) =>
  ipaddr.isValidCIDR(range) ? undefined : `${range} is not a range such as 10.0.0.0/8`

export const banSettings = {
  postfixDir,
  policyHost: Settings.text("SIGNALBOX_POLICY_HOST", { doc: "Address of SIGNALBOX_POLICY_PORT", default: "127.0.0.1" }),
  policyPort: Settings.optionalPort("SIGNALBOX_POLICY_PORT", {
    doc:
      "Port for policy requests of a Postfix on another host (smtpd_end_of_data_restrictions), without password and " +
      "TLS; unset: no port, only the socket in SIGNALBOX_POSTFIX_DIR"
  }),
  policyClients: Settings.list("SIGNALBOX_POLICY_CLIENTS", {
    doc:
      "Networks that may connect to SIGNALBOX_POLICY_PORT; each of their programs can have any address banned; " +
      "empty: the port stays closed",
    default: [],
    check: cidrProblem
  }),
  banExempt: Settings.list("SIGNALBOX_MAIL_BAN_EXEMPT_CIDRS", {
    doc:
      "Networks that are never banned for wrong passwords or many mails, such as a webmail server's; loopback is " +
      "always exempt",
    default: [],
    check: cidrProblem
  })
}

/** Addresses for policy requests. The port stays closed while nobody may connect to it. Pure. */
export const policyPlaces = ({
  policyClients,
  policyHost: host,
  policyPort: port,
  postfixDir: directory
}: Values<typeof banSettings>): ReadonlyArray<Place> => [
  ...(directory === undefined ? [] : [{ path: policySocket(directory) }]),
  ...(port === undefined || policyClients.length === 0 ? [] : [{ host, port }])
]
