/** The person at an editor. An editor that fails, or goes away, has not answered, which the desk takes for a no. */
import { type AgentContext, type ClientCapabilities, methods } from '@agentclientprotocol/sdk';
import type { PersonPort } from '../../contract/ports/ports.ts';
import type { DeskQuestion } from '../../protocol/approvals/approvals.ts';
import type { AcpDoor } from './door.ts';
import {
	type AskedPermission,
	approvalAnswer,
	chosenAnswer,
	chosenOption,
	permissionFor,
	questionAsPermission,
	questionForm,
	readFormAnswer,
} from './permissions.ts';
import type { SessionFolder } from './session-folder.ts';

interface EditorPersonDeps {
	readonly id: string;
	readonly folder: SessionFolder;
	readonly client: AgentContext;
	readonly capabilities: ClientCapabilities;
	readonly door: Pick<AcpDoor, 'words' | 'log'>;
	/** Awaited before each question. */
	before(): Promise<void>;
}

export class EditorPerson {
	readonly port: PersonPort;
	readonly #deps: EditorPersonDeps;

	constructor(deps: EditorPersonDeps) {
		this.#deps = deps;
		this.port = {
			isOnlyWay: true,
			approve: async (approval, signal) =>
				approvalAnswer(
					await this.choose(permissionFor(approval, deps.door.words(approval), deps.folder, deps.capabilities), signal),
				),
			answer: (question, signal) => this.#answer(question, signal),
		};
	}

	/** Id of the option that was chosen; undefined: none. */
	async choose(asked: AskedPermission, signal: AbortSignal): Promise<string | undefined> {
		const { client, id, before } = this.#deps;
		return await this.#asked(async () => {
			await before();
			const request = { sessionId: id, ...asked };
			return chosenOption(await client.request(methods.client.session.requestPermission, request, stopWith(signal)));
		});
	}

	async #answer(question: DeskQuestion, signal: AbortSignal): Promise<string | undefined> {
		const { client, id, capabilities, before } = this.#deps;
		const { form } = capabilities.elicitation ?? {};
		if (form === undefined || form === null) {
			const isChoice = question.options.length > 0;
			return isChoice ? chosenAnswer(await this.choose(questionAsPermission(question), signal), question) : undefined;
		}
		return await this.#asked(async () => {
			await before();
			const answer = await client.request(
				methods.client.elicitation.create,
				questionForm(question, id),
				stopWith(signal),
			);
			return readFormAnswer(answer);
		});
	}

	async #asked<T>(ask: () => Promise<T | undefined>): Promise<T | undefined> {
		try {
			return await ask();
		} catch (error) {
			this.#deps.door.log(`a question got no answer: ${String(error)}`);
			return undefined;
		}
	}
}

function stopWith(signal: AbortSignal) {
	return { cancellationSignal: signal, stopWaitingOnCancel: true };
}
