/** Small tree of one part of a camt message: local names, text, and the only attribute that camt has, the currency. */

export interface CamtNode {
  readonly name: string
  text: string
  readonly currency: string | undefined
  /** Undefined: none, as in most elements. */
  children: Array<CamtNode> | undefined
}

export const child = (node: CamtNode | undefined, name: string): CamtNode | undefined => {
  const children = node?.children
  if (children === undefined) return undefined
  for (const one of children) if (one.name === name) return one
  return undefined
}

export const childrenOf = (node: CamtNode | undefined, name: string): ReadonlyArray<CamtNode> =>
  node?.children?.filter((one) => one.name === name) ?? []

/**
 * Element at a path of names; the first one of each name. Four parameters and no list, because a list for each value
 * takes a tenth of the time of a file.
 */
export const at = (
  node: CamtNode | undefined,
  name?: string,
  second?: string,
  third?: string,
  fourth?: string
): CamtNode | undefined => {
  const first = name === undefined ? node : child(node, name)
  if (second === undefined) return first
  const next = child(first, second)
  if (third === undefined) return next
  const last = child(next, third)
  return fourth === undefined ? last : child(last, fourth)
}

/** Trimmed text at a path; undefined when it is missing or empty. */
export const text = (
  node: CamtNode | undefined,
  name?: string,
  second?: string,
  third?: string,
  fourth?: string
): string | undefined => {
  const found = at(node, name, second, third, fourth)?.text.trim()
  return found === "" ? undefined : found
}
