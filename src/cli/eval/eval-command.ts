/** `prowess eval`: what evaluates is a bundle of its own, which gets the host and the agent from here. */
import { openHome } from '../home/home-folder.ts';
import { packageVersion } from '../home/installation.ts';
import { readJsonObject, replaceFile } from '../home/json-file.ts';
import type { CommandAction } from '../invocation/command.ts';
import { withHost } from '../ports/cli-host.ts';
import { runPrompt } from '../run/run-prompt.ts';
import type { EvalHost } from './eval-host.ts';

const evalHost: EvalHost = { openHome, readJsonObject, replaceFile, withHost, runPrompt, version: packageVersion };

export const runEvalCommand: CommandAction = async (...asked) =>
	await (await import('./evaluations.ts')).runEvaluation(evalHost, ...asked);

export const compareEvalCommand: CommandAction = async (...asked) =>
	await (await import('./evaluations.ts')).compareEvaluations(...asked);
