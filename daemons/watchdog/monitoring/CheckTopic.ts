/** Topic that announces changes of checks and requests to run one. */
export const checksTopic = "monitoring checks"
