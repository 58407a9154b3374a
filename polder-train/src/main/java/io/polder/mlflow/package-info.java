/**
 * Tells an MLflow server of a run: {@link io.polder.mlflow.MlflowTracking} watches it, on a thread of its own.
 *
 * <p>The calls are those of MLflow's REST API, over {@code java.net.http}. Its Java client (8 MB; the newest to be had in November 2026, 2.17.2,
 * is two years old) starts a Python with MLflow in it to store an artefact, which is no way for a program that needs Java alone.
 *
 * <p>Nothing here touches the engine.
 */
package io.polder.mlflow;
