/** Sends requests and checks their answers against the document that the API publishes. */
import { DocumentChecker, type OpenApi } from "../../support/document.ts";
import type { appOver } from "./world.ts";

type Api = ReturnType<typeof appOver>;

const checkers = new WeakMap<Api, Promise<DocumentChecker>>();

/** Requests a path, and checks the status, media type and body against the document, which forbids unknown keys. */
export async function checkedRequest(api: Api, path: string, init?: RequestInit) {
  const response = await api.app.request(path, init);
  const text = await response.text();
  const checker = await checkerOf(api);
  const body = checker.check({
    method: init?.method ?? "GET",
    path: new URL(path, "http://localhost").href.slice("http://localhost".length),
    status: response.status,
    contentType: response.headers.get("content-type"),
    text,
  });
  return { response, body };
}

function checkerOf(api: Api): Promise<DocumentChecker> {
  const known = checkers.get(api);
  if (known) return known;
  const checker = (async () =>
    new DocumentChecker((await (await api.app.request("/openapi.json")).json()) as OpenApi))();
  checkers.set(api, checker);
  return checker;
}
