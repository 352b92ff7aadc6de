/**
 * Return codes of a bank. A response has a technical code in its header and a business code in its body; both count.
 * Source: EBICS 2.5 and 3.0, Annex 1 (return codes).
 */

/** `value`: six digits. `symbol`: the name of the specification, or `EBICS_UNKNOWN`. */
export interface ReturnCode {
  readonly value: string
  readonly symbol: string
  readonly kind: ReturnCodeKind
}

/**
 * - `Success`: the step is done, also with a remark of the bank.
 * - `NoData`: success of a download for which the bank has no data; no receipt follows.
 * - `NotReady`: the bank does not know the user or has not released the keys. After INI and HIA it means waiting.
 * - `BankKeysChanged`: the digests that we sent are not those of the bank's keys. A person must compare the new keys.
 * - `NotAllowed`: the user may not use this order type, or the bank does not offer it.
 * - `Temporary`: the same order can succeed later.
 * - `Refused`: repeating does not help without a change at our side or at the bank.
 */
export type ReturnCodeKind =
  | "Success"
  | "NoData"
  | "NotReady"
  | "BankKeysChanged"
  | "NotAllowed"
  | "Temporary"
  | "Refused"

export const returnCode = (value: string): ReturnCode => {
  const [symbol, kind] = known[value] ?? ["EBICS_UNKNOWN", fallback(value)]
  return { value, symbol, kind }
}

/** The code that decides: the technical one unless it is a success, else the business one. */
export const decisive = (technical: ReturnCode, business: ReturnCode): ReturnCode =>
  technical.kind === "Success" ? business : technical

/** Classes of codes by their first two digits: 00 and 01 are information, 03 warnings, 06 and 09 errors. */
const fallback = (value: string): ReturnCodeKind => (/^0[013]/.test(value) ? "Success" : "Refused")

const known: Readonly<Record<string, readonly [symbol: string, kind: ReturnCodeKind]>> = {
  "000000": ["EBICS_OK", "Success"],
  "011000": ["EBICS_DOWNLOAD_POSTPROCESS_DONE", "Success"],
  "011001": ["EBICS_DOWNLOAD_POSTPROCESS_SKIPPED", "Success"],
  "011101": ["EBICS_TX_SEGMENT_NUMBER_UNDERRUN", "Success"],
  "011301": ["EBICS_NO_ONLINE_CHECKS", "Success"],
  "031001": ["EBICS_ORDER_PARAMS_IGNORED", "Success"],
  "061001": ["EBICS_AUTHENTICATION_FAILED", "Refused"],
  "061002": ["EBICS_INVALID_REQUEST", "Refused"],
  "061099": ["EBICS_INTERNAL_ERROR", "Temporary"],
  "061101": ["EBICS_TX_RECOVERY_SYNC", "Temporary"],
  "090003": ["EBICS_AUTHORISATION_ORDER_IDENTIFIER_FAILED", "NotAllowed"],
  "090004": ["EBICS_INVALID_ORDER_DATA_FORMAT", "Refused"],
  "090005": ["EBICS_NO_DOWNLOAD_DATA_AVAILABLE", "NoData"],
  "090006": ["EBICS_UNSUPPORTED_REQUEST_FOR_ORDER_INSTANCE", "Refused"],
  "091002": ["EBICS_INVALID_USER_OR_USER_STATE", "NotReady"],
  "091003": ["EBICS_USER_UNKNOWN", "Refused"],
  "091004": ["EBICS_INVALID_USER_STATE", "NotReady"],
  "091005": ["EBICS_INVALID_ORDER_IDENTIFIER", "NotAllowed"],
  "091006": ["EBICS_UNSUPPORTED_ORDER_TYPE", "NotAllowed"],
  "091007": ["EBICS_DISTRIBUTED_SIGNATURE_AUTHORISATION_FAILED", "NotAllowed"],
  "091008": ["EBICS_BANK_PUBKEY_UPDATE_REQUIRED", "BankKeysChanged"],
  "091009": ["EBICS_SEGMENT_SIZE_EXCEEDED", "Refused"],
  "091010": ["EBICS_INVALID_XML", "Refused"],
  "091011": ["EBICS_INVALID_HOST_ID", "Refused"],
  "091101": ["EBICS_TX_UNKNOWN_TXID", "Temporary"],
  "091102": ["EBICS_TX_ABORT", "Temporary"],
  "091103": ["EBICS_TX_MESSAGE_REPLAY", "Temporary"],
  "091104": ["EBICS_TX_SEGMENT_NUMBER_EXCEEDED", "Temporary"],
  "091112": ["EBICS_INVALID_ORDER_PARAMS", "Refused"],
  "091113": ["EBICS_INVALID_REQUEST_CONTENT", "Refused"],
  "091116": ["EBICS_PROCESSING_ERROR", "Temporary"],
  "091117": ["EBICS_MAX_ORDER_DATA_SIZE_EXCEEDED", "Refused"],
  "091118": ["EBICS_MAX_SEGMENTS_EXCEEDED", "Refused"],
  "091119": ["EBICS_MAX_TRANSACTIONS_EXCEEDED", "Temporary"],
  "091120": ["EBICS_PARTNER_ID_MISMATCH", "Refused"],
  "091201": ["EBICS_KEYMGMT_UNSUPPORTED_VERSION_SIGNATURE", "Refused"],
  "091202": ["EBICS_KEYMGMT_UNSUPPORTED_VERSION_AUTHENTICATION", "Refused"],
  "091203": ["EBICS_KEYMGMT_UNSUPPORTED_VERSION_ENCRYPTION", "Refused"],
  "091204": ["EBICS_KEYMGMT_KEYLENGTH_ERROR_SIGNATURE", "Refused"],
  "091205": ["EBICS_KEYMGMT_KEYLENGTH_ERROR_AUTHENTICATION", "Refused"],
  "091206": ["EBICS_KEYMGMT_KEYLENGTH_ERROR_ENCRYPTION", "Refused"],
  "091207": ["EBICS_KEYMGMT_NO_X509_SUPPORT", "Refused"],
  "091208": ["EBICS_X509_CERTIFICATE_EXPIRED", "Refused"],
  "091209": ["EBICS_X509_CERTIFICATE_NOT_VALID_YET", "Refused"],
  "091210": ["EBICS_X509_WRONG_KEY_USAGE", "Refused"],
  "091211": ["EBICS_X509_WRONG_ALGORITHM", "Refused"],
  "091212": ["EBICS_X509_INVALID_THUMBPRINT", "Refused"],
  "091213": ["EBICS_X509_CTL_INVALID", "Refused"],
  "091214": ["EBICS_X509_UNKNOWN_CERTIFICATE_AUTHORITY", "Refused"],
  "091215": ["EBICS_X509_INVALID_POLICY", "Refused"],
  "091216": ["EBICS_X509_INVALID_BASIC_CONSTRAINTS", "Refused"],
  "091217": ["EBICS_ONLY_X509_SUPPORT", "Refused"],
  "091218": ["EBICS_KEYMGMT_DUPLICATE_KEY", "Refused"],
  "091219": ["EBICS_CERTIFICATES_VALIDATION_ERROR", "Refused"],
  "091301": ["EBICS_SIGNATURE_VERIFICATION_FAILED", "Refused"]
}
