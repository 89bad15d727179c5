/** Serves what running capabilities want of models. */
import { ProwessError } from '../../protocol/errors.ts';
import type { SubTurnId } from '../../protocol/ids.ts';
import type { RequestHandlers } from '../../protocol/rpc/peer.ts';
import type { WorkspaceInfo } from '../../protocol/server.ts';
import type { Settings } from '../../protocol/settings.ts';
import type { SubTurnProgress, subTurnRequests } from '../../protocol/sub-turn.ts';
import type { RetryHooks } from '../models/retry.ts';
import type { OpHost } from '../host/op-host.ts';
import { complete } from './complete.ts';
import { malformed, outputForm } from './output-form.ts';
import { runSubTurn } from './run-sub-turn.ts';
import type { SubTurnNews } from './sub-turn-journal.ts';
import { whichModel, type WhichModelPorts } from './which-model.ts';

export interface SubTurnPorts extends WhichModelPorts {
	readonly hostOf: (subTurnId: SubTurnId) => OpHost;
	readonly tell: (progress: SubTurnProgress) => void;
	readonly settings: () => Settings;
	readonly workspace: () => WorkspaceInfo;
	/** How a retry waits; only tests give one. */
	readonly wait?: RetryHooks['wait'];
}

export function subTurns(ports: SubTurnPorts): RequestHandlers<typeof subTurnRequests> {
	const telling = (subTurnId: SubTurnId) => (news: SubTurnNews) => ports.tell({ subTurnId, ...news });
	const waiting = ports.wait === undefined ? {} : { wait: ports.wait };
	const checkTrust = () => {
		if (!ports.workspace().trusted) {
			throw new ProwessError('WORKSPACE_UNTRUSTED', 'the workspace is not trusted, so nothing was read or sent');
		}
	};
	return {
		async complete(asked, signal) {
			checkTrust();
			const model = await whichModel(asked, ports, signal);
			return complete(asked, model, telling(asked.subTurnId), waiting, signal);
		},
		async run(asked, signal) {
			checkTrust();
			const model = await whichModel(asked, ports, signal);
			const loopPorts = { ...waiting, settings: ports.settings, host: ports.hostOf(asked.subTurnId) };
			return runSubTurn(asked, model, loopPorts, telling(asked.subTurnId), signal);
		},
		form: ({ schema }) => Promise.resolve({ instructions: outputForm(schema).instructions }),
		async read({ schema, text, model }) {
			const read = outputForm(schema).read(text);
			if (!read.ok) {
				throw malformed(read.problem, model);
			}
			return { output: read.value };
		},
	};
}
