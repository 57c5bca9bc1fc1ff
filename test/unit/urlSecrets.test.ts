import { inspect } from "node:util";
import { HttpRequestError, RpcRequestError } from "viem";
import { expect, it } from "vitest";
import { hideUrls, textHider } from "../../config/urlSecrets.ts";

const URL_OF_NODE = "https://reader:pass%2Fword-1@node.example/v2/path-key-1?network=eth&token=query%2Bkey-1";

it.each([
  ["the URL", URL_OF_NODE],
  ["the URL without its password", "https://node.example/v2/path-key-1?network=eth&token=query%2Bkey-1"],
  ["the path and query", "Cannot POST /v2/path-key-1?network=eth&token=query%2Bkey-1"],
  ["the path", "/v2/path-key-1 was not found"],
  ["a key of the path", 'the key "path-key-1" is unknown'],
  ["a key of the query, decoded", "query+key-1 is used up"],
  ["a key of the query, encoded", "query%2Bkey-1 is used up"],
  ["the password", "pass/word-1"],
  ["the password, encoded", "pass%2Fword-1"],
  ["the header of name and password", `Basic ${btoa("reader:pass/word-1")} is not allowed`],
])("takes %s out of a text", (_, text) => {
  const hidden = textHider([URL_OF_NODE])(text);
  for (const secret of ["key-1", "word-1", "node.example/", btoa("reader:pass/word-1")]) {
    expect(hidden).not.toContain(secret);
  }
  expect(hidden).toContain("<RPC URL>");
});

it("leaves short parts of a URL, which are words of messages", () => {
  expect(textHider([URL_OF_NODE])("v2 of eth")).toBe("v2 of eth");
});

it("takes URLs out of an error, its causes, and the objects attached to it", () => {
  const url = "http://reader:password-1@127.0.0.1:1/v2/path-key-1";
  const cause = new RpcRequestError({
    body: {},
    url,
    error: { code: -32_000, message: "path-key-1 is unknown", data: { key: ["path-key-1"] } },
  });
  const error = new HttpRequestError({
    url,
    cause,
    details: "Cannot POST /v2/path-key-1",
    body: { method: "eth_call" },
  });
  Object.assign(error, { itself: error });
  expect(hideUrls(error, [url])).toBe(error);
  expect(inspect(error, { depth: 10, showHidden: true })).not.toContain("path-key-1");
  expect(error.body).toEqual({ method: "eth_call" });
  expect(cause.code).toBe(-32_000);
});

it("accepts what is neither a URL nor an error", () => {
  expect(textHider(["no url"])("there is no url here")).toBe("there is <RPC URL> here");
  expect(hideUrls(null, [URL_OF_NODE])).toBeNull();
  expect(textHider(["https://node.example/%E0"])("%E0")).toBe("%E0");
});
