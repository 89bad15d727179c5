/** `prowess replay` and `prowess report`: what replays is a bundle of its own, which gets the command line's parts from here. */
import { Redactor } from '../../trust/record/redaction/redactor.ts';
import { ownPatterns } from '../../trust/record/redaction/own-patterns.ts';
import { loadOrganisation } from '../../machine/organisation/load-organisation.ts';
import { systemPlace } from '../../machine/organisation/system-file.ts';
import { makeOwnTemporaryFolder } from '../../machine/home-files/own-temporary-folder.ts';
import { openHome } from '../home/home-folder.ts';
import { installation } from '../home/installation.ts';
import { SettingsFile } from '../home/settings-file.ts';
import { SecretsFile } from '../home/secrets-file.ts';
import type { CommandAction } from '../invocation/command.ts';
import { capturedKeys } from '../server/credentials.ts';
import { CliServerProcess } from '../server/server-process.ts';
import type { ReplayHost } from './replay-host.ts';

const quiet = { debug: () => {}, info: () => {}, warn: () => {}, error: () => {} };

export const replayHost: ReplayHost = {
	openHome,
	async checkExport({ system = systemPlace(process.platform), environment, signal }) {
		(await loadOrganisation(system, openHome(environment), signal))?.checkExport();
	},
	makeOwnTemporaryFolder,
	createRedactor(home) {
		const settings = new SettingsFile(home, quiet);
		const redactor = new Redactor(() => ownPatterns(settings.current['prowess.redaction.patterns']).families);
		for (const key of [...capturedKeys(), ...new SecretsFile(home).read().values()]) redactor.addSecret(key);
		return redactor;
	},
	startServer: (home, environment, wrap) =>
		new CliServerProcess({
			program: installation.server,
			home,
			environment,
			log: quiet,
			redact: (text) => text,
			wrap,
		}),
};

/** `loadGoingOn`: goes on live from a step. */
export const createReplayCommand =
	(loadGoingOn: () => Promise<CommandAction>): CommandAction =>
	async (...asked) =>
		asked[0].values['from'] === undefined
			? await (await import('./replays.ts')).replayTurn(replayHost, ...asked)
			: await (
					await loadGoingOn()
				)(...asked);

export const reportCommand: CommandAction = async (...asked) =>
	await (await import('./replays.ts')).reportTurn(replayHost, ...asked);
