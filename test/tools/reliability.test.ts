/** The reliability suite must go red when something is lost or wrong, and also when it did not break anything. */
import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { FrontendMessages } from "../e2e/harness/databaseProxy.ts";
import type { HistoryTransaction } from "../e2e/oracle/history.ts";
import { type Answers, compareAnswers, digestOf } from "../reliability/harness/answers.ts";
import { failuresOf, formatFigures, Tally } from "../reliability/harness/figures.ts";
import { readOptions } from "../reliability/options.ts";

const LINE = { part: "postgres", fault: "database killed", database: "PostgreSQL" };
const WHOLE = { lost: [], wrong: [], first: null };

describe("figures", () => {
  it("are green when every planned fault was injected and survived", () => {
    const tally = new Tally(LINE, { planned: 2 });
    for (let count = 0; count < 2; count += 1) {
      tally.injected();
      tally.compared(WHOLE);
    }
    expect(failuresOf(tally.figure())).toEqual([]);
    expect(formatFigures([tally.figure()])).not.toContain("RED");
  });

  it("are red when a fault was never injected", () => {
    const tally = new Tally(LINE, { planned: 2 });
    tally.injected();
    tally.compared(WHOLE, 2);
    expect(failuresOf(tally.figure())).toEqual(["1 of 2 faults were injected"]);
    expect(failuresOf(new Tally(LINE, { planned: 0 }).figure())).toEqual(["0 of 0 faults were injected"]);
  });

  it("are red when rows are lost or wrong, and count a row once however often it is missed", () => {
    const tally = new Tally(LINE, { planned: 2 });
    for (let count = 0; count < 2; count += 1) {
      tally.injected();
      tally.compared({ lost: ["mainnet 0x1"], wrong: ["/v1/volume"], first: "mainnet 0x1 is missing" });
    }
    expect(tally.figure()).toMatchObject({ tried: 2, survived: 0, lost: 1, wrong: 1 });
    expect(failuresOf(tally.figure()).slice(0, 3)).toEqual(["2 of 2 faults were not survived", "1 lost", "1 wrong"]);
    expect(formatFigures([tally.figure()])).toContain("RED");
  });

  it("are red when a request failed or a promise was not kept", () => {
    const tally = new Tally(LINE, { planned: 1 });
    tally.injected();
    tally.compared(WHOLE);
    tally.failed(3);
    tally.remark("the indexer ended");
    expect(failuresOf(tally.figure())).toEqual(["3 requests failed", "the indexer ended"]);
  });
});

function row(number: number, legs = 1): HistoryTransaction {
  return {
    transactionHash: `0x${number}`,
    inclusion: { blockNumber: `${number}`, blockHash: `0xb${number}`, transactionIndex: "0", timestamp: "1" },
    activities: Array.from({ length: legs }, (_, logIndex) => ({ type: "swap", logIndex: `${logIndex}` })),
  } as unknown as HistoryTransaction;
}

function answersOf(rows: readonly HistoryTransaction[], legs: number, volume = "1.000000"): Answers {
  return {
    histories: new Map([["mainnet", rows]]),
    legCounts: new Map([["mainnet", legs]]),
    others: new Map([["/v1/volume", { pricedVolumeUsd: volume }]]),
  };
}

describe("the comparison with the reference", () => {
  const reference = answersOf([row(3), row(2), row(1)], 3);

  it("finds no difference between equal answers, and gives them equal digests", () => {
    const same = answersOf([row(3), row(2), row(1)], 3);
    expect(compareAnswers(reference, same)).toEqual(WHOLE);
    expect(digestOf(same)).toBe(digestOf(reference));
  });

  it.each([
    ["a lost row", answersOf([row(3), row(1)], 2), { lost: ["mainnet 0x2"], wrong: [] }],
    ["a changed row", answersOf([row(3, 2), row(2), row(1)], 4), { lost: [], wrong: ["mainnet 0x3"] }],
    ["a row of no block", answersOf([row(4), row(3), row(2), row(1)], 4), { lost: [], wrong: ["mainnet 0x4"] }],
    ["another order", answersOf([row(2), row(3), row(1)], 3), { lost: [], wrong: ["mainnet order"] }],
    ["a repeated row", answersOf([row(3), row(2), row(2), row(1)], 4), { lost: [], wrong: ["mainnet order"] }],
    ["another volume", answersOf([row(3), row(2), row(1)], 3, "2.000000"), { lost: [], wrong: ["/v1/volume"] }],
    [
      "a volume that contradicts the history",
      answersOf([row(3), row(2), row(1)], 4),
      { lost: [], wrong: ["mainnet: 3 legs in the history, 4 in the volume"] },
    ],
  ])("finds %s, and the digests differ", (_name, index, expected) => {
    expect(compareAnswers(reference, index)).toMatchObject(expected);
    expect(compareAnswers(reference, index).first).not.toBeNull();
    expect(digestOf(index)).not.toBe(digestOf(reference));
  });
});

describe("the messages of a client of PostgreSQL", () => {
  const message = (type: string, text: string) => {
    const bytes = Buffer.alloc(type.length + 4 + text.length);
    bytes.write(type, "latin1");
    bytes.writeUInt32BE(4 + text.length, type.length);
    bytes.write(text, type.length + 4, "latin1");
    return bytes;
  };
  const bytes = Buffer.concat([
    message("", "\0\x03\0\0user\0postgres\0\0"),
    message("Q", "BEGIN;\0"),
    message("P", '\0insert into "coreswap"."transaction"\0'),
    message("Q", "commit\0"),
  ]);

  it.each([bytes.length, 7, 1])("are separated if they arrive in pieces of %i bytes", (size) => {
    const messages = new FrontendMessages();
    const read = Array.from({ length: Math.ceil(bytes.length / size) }, (_, index) =>
      messages.read(bytes.subarray(index * size, (index + 1) * size)),
    ).flat();
    expect(read.map(({ query }) => query)).toEqual([null, "begin", null, "commit"]);
    expect(read[2]?.text).toContain('"coreswap"."transaction"');
  });
});

describe("the flags", () => {
  const known = ["rpc", "kill", "ci"];

  it("choose the short part, every other part, or those that are named", () => {
    expect(readOptions([], known)).toMatchObject({ parts: ["ci"], seed: 1 });
    expect(readOptions(["--full", "--seed", "7"], known)).toMatchObject({ parts: ["rpc", "kill"], seed: 7 });
    expect(readOptions(["--part", "kill", "--part", "kill"], known)).toMatchObject({ parts: ["kill"] });
  });

  it.each([
    [["--part", "nonsense"], /^--part: there is no "nonsense", expected one of .*ci.*\n$/],
    [["--seed", "x"], /^--seed is "x", expected a whole number of at least 1\n$/],
    [["--jobs", "0"], /^--jobs is "0", expected a whole number of at least 1\n$/],
    [["--full", "--part", "ci"], /^--full runs every part: leave out --part\n$/],
  ])("%j are refused in one line", (args, message) => {
    const command = ["test/reliability/index.ts", ...args];
    const { status, stdout, stderr } = spawnSync(process.execPath, command, { encoding: "utf8" });
    expect({ status, stdout }).toEqual({ status: 1, stdout: "" });
    expect(stderr).toMatch(message);
  });
});

describe("a fleet", () => {
  it.each([
    ["pnpm ops:fleet", ["test/reliability/fleet.ts"]],
    ["its part of the suite", ["test/reliability/index.ts", "--part", "fleet"]],
  ])("is not started by %s on a pgbouncer that is too old, and a line says how to get another", (_name, command) => {
    const directory = mkdtempSync(join(tmpdir(), "coreswap-old-pgbouncer-"));
    onTestFinished(() => rmSync(directory, { recursive: true }));
    const old = join(directory, "pgbouncer");
    writeFileSync(old, "#!/bin/sh\necho PgBouncer 1.18.0\n", { mode: 0o755 });
    const { status, stdout, stderr } = spawnSync(process.execPath, command, {
      encoding: "utf8",
      env: { ...process.env, PATH: `${directory}:${process.env.PATH}` },
      // Ends a fleet that starts all the same.
      timeout: 150_000,
    });
    expect(status).toBe(1);
    expect(stdout + stderr).toContain(
      `${old} is PgBouncer 1.18.0, and 1.21 or later is needed: on Debian, \`.ci/pgbouncer\` installs it\n`,
    );
    expect(stdout.toLowerCase()).not.toContain("two chains");
  });
});
