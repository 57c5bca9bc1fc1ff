/** Events of a deployment, from the block in which it began. */

/** For commands that read events of the whole life of a deployment. */
export const BLOCKS_OPTION = {
  "blocks-per-request": {
    type: "string",
    default: "10000",
    value: "<count>",
    help: "blocks of which the node gives the events at once",
  },
} as const;
