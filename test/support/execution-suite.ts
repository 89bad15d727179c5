/** Gives each spec of a suite an execution scene of its own, ended after the spec. */
import assert from 'node:assert/strict';
import type { CapabilityExecutionResult } from '../../src/protocol/execution/execution.ts';
import { ExecutionScene, type ExecutionSceneOptions } from './execution-scene.ts';
import { waitUntilGone } from './processes.ts';
import { waitFor } from './wait-for.ts';

interface ExecutionScenes {
	/** Scene of the running spec. */
	readonly scene: ExecutionScene;
	made(executor: string, options?: Partial<ExecutionSceneOptions>): ExecutionScene;
	/** Starts one, and gives its id once it has said something. */
	running(params?: unknown): Promise<string>;
	/** 0 for one that has ended. */
	pidOf(id: string): number;
	/** Asserts that it was ended for what it sent, that exactly this is noted, and that its process is gone. */
	endsAsViolation(result: CapabilityExecutionResult, about: RegExp): Promise<void>;
}

/** Registers the hook. */
export function useExecutionScenes(): ExecutionScenes {
	let current: ExecutionScene | undefined;
	afterEach(() => current?.close());
	const scenes: ExecutionScenes = {
		get scene() {
			assert.ok(current !== undefined, 'the spec has made no scene yet');
			return current;
		},
		made(executor, options = {}) {
			current = new ExecutionScene({ executor, ...options });
			return current;
		},
		async running(params = {}) {
			const id = await scenes.scene.start(params);
			await waitFor('its first word', () => scenes.scene.progress.length > 0);
			return id;
		},
		pidOf: (id) => scenes.scene.manager.list().find(({ executionId }) => executionId === id)?.pid ?? 0,
		async endsAsViolation(result, about) {
			const { scene } = scenes;
			assert.equal(codeOf(result), 'PROTOCOL_VIOLATION');
			await scene.close();
			assert.deepEqual(
				scene.notes.filter((text) => text.startsWith('PROTOCOL_VIOLATION')).map((text) => about.test(text)),
				[true],
				scene.notes.join('\n'),
			);
			await waitUntilGone([scenes.pidOf(result.executionId)]);
		},
	};
	return scenes;
}

export function codeOf({ success, error }: CapabilityExecutionResult): string | undefined {
	return success ? 'success' : error?.code;
}
