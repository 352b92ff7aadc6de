/** How the pages look. Each colour is a pair of light and dark; text has a contrast of at least 4.5:1 in both, bars and icons 3:1. */
export const style = `
:root { color-scheme: light dark }
`
