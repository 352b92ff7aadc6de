/** Sentences about accounts that cannot fetch. */

/** Why an account cannot fetch, for people. */
export const notReadySentence = ({
  key_status,
  reason
}: {
  readonly reason: string
  readonly key_status: string | null
}) => {
  switch (reason) {
    case "missing":
      return "The account does not exist."
    case "inactive":
      return "The account is deactivated."
    case "no_ebics":
      return "The account has no connection to the bank; its statements are imported by hand."
    case "bank_keys":
      return "Nobody has compared and accepted the keys of the bank."
    default:
      return key_status === "suspended"
        ? "The account is suspended."
        : `The keys of the account are not active; they are ${key_status ?? "missing"}.`
  }
}

export const stoppedSentence =
  "The keys of the bank have changed. A person must compare and accept the new keys before anything is fetched."
