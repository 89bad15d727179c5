/** Confines a failure to draw: replaces the part that cannot be drawn, while everything around it goes on. */
import { Component, type ComponentChild, type ComponentChildren } from 'preact';

interface BoundaryProps {
	/** Drawn in place of what failed. `retry` draws that anew. */
	fallback(retry: () => void): ComponentChild;
	readonly children: ComponentChildren;
}

export class Boundary extends Component<BoundaryProps, { hasFailed: boolean }> {
	override state = { hasFailed: false };

	static override getDerivedStateFromError(): { hasFailed: boolean } {
		return { hasFailed: true };
	}

	override componentDidCatch(error: unknown): void {
		// Into the developer tools: the user is shown what there is to show.
		reportError(error);
	}

	override render(): ComponentChild {
		const { fallback, children } = this.props;
		return this.state.hasFailed ? fallback(() => this.setState({ hasFailed: false })) : <>{children}</>;
	}
}
