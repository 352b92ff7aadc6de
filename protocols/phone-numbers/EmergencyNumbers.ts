/**
 * Emergency numbers of each country. Pure. It does not decide where a call goes.
 *
 * Source: ShortNumberMetadata of Google's libphonenumber 9. `libphonenumber-js` has no short numbers, and
 * `google-libphonenumber` needs 180 ms and 4 MB at every start, so the table is a copy and a test compares it.
 */
import { type CountryCode, getCountryCallingCode, isSupportedCountry } from "libphonenumber-js/min"

/** Emergency numbers by country (ISO 3166 codes). `150-159` means each number from 150 to 159. */
const table = `
  AC AG LC MS SH TC VC VG: 911 999; AD: 110 112 116 118; AE PL: 112 997 998 999; AF: 100 102 119
  AI AS BM FM GD GU KY MH MP PA PR PW TV VI: 911; AL: 112 127 128 129; AM KG: 101 102 103; AO: 112 113 115
  AR: 100 101 107 911; AT: 112 122 133 144; AU: 000 106 112; AW: 100 911; AX FI GL IS KW MT RO ST VU: 112
  AZ BY KZ TJ UA: 101 102 103 112; BA: 122 123 124; BB: 211 311 511 911; BD: 100 101 102 199 999; BE: 100 101 112
  BF DJ KM MR SN TD: 17 18; BG: 112 150 160 166; BH: 199 999; BI: 112 113 117; BJ: 112 114 116 117 118; BL: 18
  BN: 991 993 995; BO: 110 118 119; BQ CA CR CW DO NL US: 112 911; BR: 112 128 190 192 193 911; BS: 911 919
  BT NO SJ SY: 110 112 113; BW: 911 997 998 999; BZ: 90 911 990; CC CX: 000 112; CD: 113 114 118 177 188
  CF: 117 118 1220; CG: 117 118; CH LI: 112 117 118 144; CI: 110 111 170 180; CK: 996 998 999; CL: 131 132 133 911
  CM: 13 17 113 117; CN: 110 119 120; CO: 112 119 123 132 156; CU: 104 105 106; CV: 130 131 132; CY: 112 199
  CZ: 112 150-159; DE EE: 110 112; DK FO: 112 114; DM KN: 333 911 999; DZ: 14 17 112; EC: 101 102 112 911
  EG: 122 123 180; EH MA: 15 19 177; ER: 112 113 114 116; ES: 085 088 112; ET: 91 92 93 911 939 991 997
  FJ: 911 917; FK IM MO NU QA SB SC SD SS SZ UG: 999; FR MC MQ RE: 15 17 18 112; GA: 18 1300-1399 1730
  GB GG IE JE MY: 112 999; GE: 011 022 033 111 112 113 122; GF GP MF ML PF PM WF: 15 17 18; GH: 191 192 193 999
  GI: 112 190 199; GM: 16 17 18 116 117 118; GR: 100 112 166 199; GT: 110 120 123; GW: 113 117 118
  GY: 911 912 913; HK: 112 992 999; HN MM NG: 199; HR: 93 94 112 192 193 194; HT: 114 118; HU: 104 105 107 112
  ID: 110 112 113 118 119; IL: 100 101 102 112; IN: 100 101 102 108 112 1298 2611; IQ: 100 104 115 122
  IR: 110 112 115 125 911; IT VA: 112 113 115 118; JM: 110 112 119 911; JO: 112 191 192 197 911; JP: 110 119
  KE: 112 114 999; KH: 117 118 119 666; KI: 192 193 194 195 992 993 994; KP: 112 119 819; KR: 112 119
  LA: 190 191 195; LB: 112 140 175 999; LK: 110 112 116 118 119; LR: 355 911; LS: 112 115 117
  LT: 01 02 03 011 022 033 101 102 103 112; LU SI: 112 113; LV: 01 02 03 110 112 113; LY: 190 191 193
  MD: 112 901 902 903; ME: 112 122 123 124; MG: 17 18 117 118; MK XK: 112 192 193 194; MN: 100 101 102 103 105
  MU: 114 115 995 999; MV: 102 118 119; MW: 199 997 998 999; MX: 060 065 066 068 080 911; MZ: 117 119 197 198
  NA: 10111; NC: 15 16 17 18; NE: 15 17 18 118; NF: 911 955 977; NI: 115 118 120 128; NP: 100 101 102 103 112
  NR: 110 111 112; NZ: 111; OM: 1444 9999; PE: 105 116 117; PG: 000 110 111; PH: 112 117 911
  PK: 15 16 112 115 1122; PS: 100 101 102; PT TL: 112 115; PY UY: 128 911; RS: 92 93 94 112
  RU: 01 02 03 101 102 103 112; RW: 111 112; SA: 112 911 997 999; SE: 112 90000; SG: 993 995 999
  SK: 112 150 155 158; SL: 019 999; SM: 113 115 118; SO: 555 888 999; SR: 115; SV: 911 913; SX: 919
  TG: 117 118 171 172 177; TH: 191 199 1669; TM: 01 02 03; TN: 190 197 198; TO: 911 922 933 999; TR: 110 112 155
  TT: 990 999; TW: 110 112 119; TZ: 110 111 112 114 115 999; UZ: 01 02 03 001 002 003 050; VE: 112 171 911
  VN: 113 114 115; WS: 911 994 995 996 999; YE: 191 194 195 199; YT: 15 112; ZA: 112 10111 10177
  ZM: 112 991 993 999; ZW: 112 993 994 995 999
`

/**
 * Emergency numbers in every country: mobile networks connect 112 and 911 everywhere, and people dial what they know
 * from home. Source: 3GPP TS 22.101 §10.1.1; national numbers of Germany (110) and Great Britain (999).
 */
const everywhere: ReadonlyArray<string> = ["110", "112", "911", "999"]

const numbersOf = (entry: string): ReadonlyArray<string> => {
  const [first, last] = entry.split("-") as [string, string | undefined]
  const count = last === undefined ? 1 : Number(last) - Number(first) + 1
  return Array.from({ length: count }, (_, index) => String(Number(first) + index).padStart(first.length, "0"))
}

const byCountry: ReadonlyMap<string, ReadonlySet<string>> = new Map(
  table
    .split(/[;\n]/)
    .filter((line) => line.trim() !== "")
    .flatMap((line) => {
      const [countries = "", numbers = ""] = line.split(":")
      const all = new Set([...everywhere, ...numbers.trim().split(" ").flatMap(numbersOf)])
      return countries
        .trim()
        .split(" ")
        .map((country) => [country, all] as const)
    })
)
const common: ReadonlySet<string> = new Set(everywhere)

/** Emergency numbers of a country, with those that count everywhere. */
export const emergencyNumbers = (country: CountryCode): ReadonlySet<string> => byCountry.get(country) ?? common

/** Whether a number, as it is dialled in `country`, is an emergency number. Separators do not matter. */
export const isEmergency = (dialled: string, country: CountryCode): boolean =>
  emergencyNumbers(country).has(dialled.replace(/[\s()/.-]/g, ""))

/** Emergency numbers behind their country code: no network connects them, but a switch of a provider may. */
const international: ReadonlySet<string> = new Set(
  [...byCountry].flatMap(([country, numbers]) =>
    isSupportedCountry(country) ? [...numbers].map((number) => `+${getCountryCallingCode(country)}${number}`) : []
  )
)

/** Whether a number with its country code, as `+49112` or `0049112`, is an emergency number. */
export const isEmergencyAbroad = (number: string): boolean =>
  international.has(number.replace(/[\s()/.-]/g, "").replace(/^00/, "+"))
