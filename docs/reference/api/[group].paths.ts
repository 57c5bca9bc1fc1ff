import { apiPages } from "../../.vitepress/reference/api.ts";

export default {
  paths: () => apiPages().map(({ slug, markdown }) => ({ params: { group: slug }, content: markdown })),
};
