/** Small tree of one part of a camt message: local names, text, and the only attribute that camt has, the currency. */

export interface CamtNode {
  readonly name: string
  text: string
  readonly currency: string | undefined
  readonly children: Array<CamtNode>
}

export const child = (node: CamtNode | undefined, name: string): CamtNode | undefined => {
  if (node === undefined) return undefined
  for (const one of node.children) if (one.name === name) return one
  return undefined
}

export const childrenOf = (node: CamtNode | undefined, name: string): ReadonlyArray<CamtNode> =>
  node === undefined ? [] : node.children.filter((one) => one.name === name)

/** Element at a path of names; the first one of each name. */
export const at = (node: CamtNode | undefined, ...path: ReadonlyArray<string>): CamtNode | undefined => {
  let found = node
  for (const name of path) found = child(found, name)
  return found
}

/** Trimmed text at a path; undefined when it is missing or empty. */
export const text = (node: CamtNode | undefined, ...path: ReadonlyArray<string>): string | undefined => {
  const found = at(node, ...path)?.text.trim()
  return found === "" ? undefined : found
}
