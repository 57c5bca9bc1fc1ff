import { contractPages } from "../../.vitepress/reference/natspec.ts";

export default {
  paths: () => contractPages().map(({ contract, markdown }) => ({ params: { contract }, content: markdown })),
};
