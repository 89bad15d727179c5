import assert from 'node:assert/strict';
import { ModelBudgets } from './model-budget.ts';

describe('The budget of an execution', () => {
	const budgets = () => new ModelBudgets(() => ({ calls: 3, tokens: 1_000 }));
	const chat = { calls: 1, tokens: 400 };

	it('refuses what could not even be sent', () => {
		assert.throws(() => budgets().reserve('a', 'llm.chat', { calls: 1, tokens: 2_000 }, 1_001), {
			code: 'BUDGET_EXCEEDED',
			message: /0 of its 1000 tokens.*needs at least 1001/,
		});
	});

	it('counts what is under way as spent', () => {
		const own = budgets();
		own.reserve('a', 'llm.chat', { calls: 1, tokens: 900 }, 1);
		assert.equal(own.reserve('a', 'llm.chat', chat, 1).tokens, 100);
		assert.throws(() => own.reserve('a', 'llm.chat', chat, 1), { code: 'BUDGET_EXCEEDED' });
	});

	it('gives back what was not taken, once', () => {
		const own = budgets();
		const first = own.reserve('a', 'agent.run', { calls: 3, tokens: 1_000 }, 1);
		first.settle({ calls: 1, tokens: 300 });
		first.settle({ calls: 0, tokens: 0 });
		const { calls, tokens } = own.reserve('a', 'agent.run', { calls: 9, tokens: 9_000 }, 1);
		assert.deepEqual([calls, tokens], [2, 700]);
	});

	it('is one for each execution, and gone with it', () => {
		const own = budgets();
		const late = own.reserve('a', 'agent.run', { calls: 3, tokens: 1_000 }, 1);
		assert.equal(own.reserve('b', 'llm.chat', chat, 1).tokens, 400);
		own.forget('a');
		late.settle({ calls: 3, tokens: 1_000 });
		assert.equal(own.reserve('a', 'llm.chat', chat, 1).tokens, 400);
	});
});
