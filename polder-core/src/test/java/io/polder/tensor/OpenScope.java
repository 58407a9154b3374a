package io.polder.tensor;

import org.junit.jupiter.api.extension.AfterEachCallback;
import org.junit.jupiter.api.extension.BeforeEachCallback;
import org.junit.jupiter.api.extension.ExtensionContext;

/** Runs each test of a class inside a scope of its own, which frees what the test made. */
public final class OpenScope implements BeforeEachCallback, AfterEachCallback {
    private Scope scope;

    @Override
    public void beforeEach(ExtensionContext context) {
        scope = Scope.open();
    }

    @Override
    public void afterEach(ExtensionContext context) {
        scope.close();
    }
}
