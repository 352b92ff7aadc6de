/** Text of a range for people and events: a single address without its width. Pure. */
export const shownRange = (cidr: string): string => cidr.replace(cidr.includes(":") ? /\/128$/ : /\/32$/, "")
