/** The options that make a model an agent, and where its key comes from. */
import type { Command } from "commander";
import { UsageError } from "../core/fault.js";
import { isCredentialName } from "../model/redact-secrets.js";
import { parseAmount, parseCount } from "./option-values.js";
import type { Terminal } from "./terminal.js";

export interface ModelOptions {
  readonly model: string;
  readonly baseUrl: string;
  readonly apiKey?: string;
  readonly temperature?: number;
  readonly maxTokens?: number;
  readonly price?: { readonly inputUsdPerMillion: number; readonly outputUsdPerMillion: number };
  readonly concurrency: "auto" | number;
}

/** As commander gives them. */
export interface ModelFlags {
  readonly model?: string;
  readonly baseUrl?: string;
  readonly temperature?: number;
  readonly maxTokens?: number;
  readonly price?: ModelOptions["price"];
}

export function addModelOptions(command: Command): void {
  command
    .option(
      "--model <name>",
      "a model behind an OpenAI-compatible endpoint, as the agent; key from WINDTUNNEL_API_KEY or OPENAI_API_KEY",
    )
    .option(
      "--base-url <url>",
      "the endpoint, up to and including /v1 (default: $OPENAI_BASE_URL, else https://api.openai.com/v1)",
    )
    .option(
      "--temperature <t>",
      "sampling temperature (default: the endpoint's own)",
      parseAmount("--temperature", "a number of at least 0"),
    )
    .option("--max-tokens <n>", "most tokens of one turn (default: the endpoint's own)", parseCount("--max-tokens"))
    .option(
      "--price <in,out>",
      "USD per million input and output tokens, where the endpoint does not report cost",
      parsePrice,
    );
}

function parsePrice(text: string): NonNullable<ModelOptions["price"]> {
  const [input, output, ...rest] = text.split(",").map(parseAmount("--price", "two prices such as 0.15,0.60"));
  if (input === undefined || output === undefined || rest.length > 0) {
    throw new UsageError({
      code: "invalid_option",
      what: "An option has a value it cannot use",
      path: "--price",
      expected: "two prices such as 0.15,0.60",
      actual: `"${text}"`,
    });
  }
  return { inputUsdPerMillion: input, outputUsdPerMillion: output };
}

/** The model that flags ask for; undefined when they ask for none. Throws UsageError on an endpoint address that cannot be used. */
export function toModelOptions(
  flags: ModelFlags,
  env: Terminal["env"],
  concurrency: "auto" | number,
): ModelOptions | undefined {
  const { model, baseUrl: named, temperature, maxTokens, price } = flags;
  if (model === undefined) {
    if (named !== undefined)
      throw new UsageError({
        code: "no_model",
        what: "An endpoint is named without a model",
        path: "--base-url",
        fix: "Add --model NAME.",
      });
    return undefined;
  }
  const baseUrl = named ?? env.OPENAI_BASE_URL ?? "https://api.openai.com/v1";
  checkBaseUrl(baseUrl);
  const apiKey = [env.WINDTUNNEL_API_KEY, env.OPENAI_API_KEY]
    .map((key) => key?.trim())
    .find((key) => key !== undefined && key !== "");
  return {
    model,
    baseUrl,
    concurrency,
    ...(apiKey === undefined ? {} : { apiKey }),
    ...(temperature === undefined ? {} : { temperature }),
    ...(maxTokens === undefined ? {} : { maxTokens }),
    ...(price === undefined ? {} : { price }),
  };
}

/** The address is kept with the run, so it may hold no credential. */
function checkBaseUrl(baseUrl: string): void {
  const refuse = (actual: string): never => {
    throw new UsageError({
      code: "invalid_base_url",
      what: "The endpoint's address cannot be used",
      path: "--base-url",
      expected: "an http or https URL such as http://127.0.0.1:8000/v1",
      actual,
      fix: "Give a key as WINDTUNNEL_API_KEY in the environment.",
    });
  };
  if (!URL.canParse(baseUrl)) refuse(`"${baseUrl}"`);
  const { protocol, username, password, searchParams } = new URL(baseUrl);
  if (protocol !== "http:" && protocol !== "https:") refuse(`a ${protocol} URL`);
  if (username !== "" || password !== "") refuse("a URL with a user name or password in it");
  const credential = [...searchParams.keys()].find(isCredentialName);
  if (credential !== undefined) refuse(`a URL with a credential ("${credential}") in it`);
}
