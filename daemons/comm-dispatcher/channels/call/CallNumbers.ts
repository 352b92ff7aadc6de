/** Numbers that are not called, whoever asks. Pure. */
import { costly } from "#protocols/phone-numbers/CostlyNumbers.ts"
import { isEmergencyAbroad } from "#protocols/phone-numbers/EmergencyNumbers.ts"

/** The problem of a beginning of numbers; undefined when valid. */
export const prefixProblem = (text: string): string | undefined =>
  /^\+[1-9]\d{0,14}$/.test(text) ? undefined : "must be the beginning of a number, such as +49 or +4930"

export const startsWithAny = (number: string, prefixes: ReadonlyArray<string>): boolean =>
  prefixes.some((prefix) => number.startsWith(prefix))

/** Why nobody may call a number in E.164; undefined when callers may. `admitted`: costly numbers that may be called. */
export const refusedNumber = (number: string, admitted: ReadonlyArray<string>): string | undefined => {
  if (isEmergencyAbroad(number)) return "is an emergency number"
  const kind = startsWithAny(number, admitted) ? undefined : costly(number)
  return kind === undefined
    ? undefined
    : `is a ${kind} number; the operator can admit it by SIGNALBOX_CALLS_COSTLY_PREFIXES`
}
