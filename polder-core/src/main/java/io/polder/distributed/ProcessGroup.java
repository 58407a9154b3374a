package io.polder.distributed;

import io.polder.files.Reason;
import io.polder.tensor.Engine;
import io.polder.tensor.FlatVector;
import io.polder.tensor.Numbers;
import io.polder.tensor.Scope;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.bytedeco.javacpp.BytePointer;
import org.bytedeco.javacpp.DoublePointer;
import org.bytedeco.javacpp.Pointer;
import org.bytedeco.javacpp.PointerScope;
import org.bytedeco.javacpp.chrono.Milliseconds;
import org.bytedeco.pytorch.AllgatherOptions;
import org.bytedeco.pytorch.AllreduceOptions;
import org.bytedeco.pytorch.BroadcastOptions;
import org.bytedeco.pytorch.FileStore;
import org.bytedeco.pytorch.GlooDeviceVector;
import org.bytedeco.pytorch.PrefixStore;
import org.bytedeco.pytorch.ProcessGroupGloo;
import org.bytedeco.pytorch.Store;
import org.bytedeco.pytorch.StringVector;
import org.bytedeco.pytorch.TCPStore;
import org.bytedeco.pytorch.TCPStoreOptions;
import org.bytedeco.pytorch.Tensor;
import org.bytedeco.pytorch.TensorOptions;
import org.bytedeco.pytorch.TensorVector;
import org.bytedeco.pytorch.Work;
import org.bytedeco.pytorch.global.torch;
import org.bytedeco.pytorch.gloo.Device;

/**
 * Workers that exchange numbers. Every operation is one that all of them call, in the same order; it returns when all have, or throws
 * a {@link LostWorkerException} that names who did not. One thread uses it, the one that joined.
 *
 * <p>Exchanges wait for the rendezvous' timeout; those in which nobody trains, as files are sent, ten times as long.
 */
public final class ProcessGroup implements AutoCloseable {
    /** How long one that lost somebody listens who else did: those who say nothing at all are named. */
    private static final Duration SETTLING = Duration.ofSeconds(5);

    private static final long MILLISECONDS_BETWEEN_LOOKS = 50;
    private static final int BYTES_AT_A_TIME = 1 << 26;
    private static final int MOST_DIMENSIONS = 7;
    private static final String HERE = "polder/here/";
    private static final String TAKEN = "polder/taken/";
    private static final String CONNECTED = "polder/connected/";
    private static final String LOST = "polder/lost/";
    private static final String FAILED = "polder/failed/";

    private final Rendezvous rendezvous;
    private final Store store;
    private final ProcessGroupGloo gloo;
    private boolean patient = true;
    private long allReduces;
    private long bytes;
    private long nanosecondsWaited;

    /** By a thread that nothing can wake: it must not be freed. */
    private boolean storeIsInUse;

    private ProcessGroup(Rendezvous rendezvous, Store store, ProcessGroupGloo gloo) {
        this.rendezvous = rendezvous;
        this.store = store;
        this.gloo = gloo;
    }

    /**
     * Meets the others.
     *
     * @throws IOException a sentence, if one does not come, or two come as one
     */
    public static ProcessGroup join(Rendezvous rendezvous) throws IOException {
        Engine.load();
        try (var scope = new PointerScope()) {
            Store store = store(rendezvous);
            meet(store, rendezvous);
            ProcessGroupGloo gloo = gloo(store, rendezvous);
            awaitConnected(store, rendezvous);
            return new ProcessGroup(rendezvous, kept(store), kept(gloo));
        }
    }

    private static Store store(Rendezvous rendezvous) throws IOException {
        if (rendezvous.place() instanceof Rendezvous.InFile place) {
            return new FileStore(place.file().toString(), rendezvous.size());
        }
        var place = (Rendezvous.AtPort) rendezvous.place();
        boolean listens = rendezvous.rank() == 0 && !place.served();
        if (!listens) {
            awaitListener(place, rendezvous);
        }
        var options = new TCPStoreOptions()
                .port((short) place.port())
                .isServer(listens)
                .waitWorkers(false)
                .timeout(new Milliseconds(rendezvous.patience().toMillis()));
        try {
            var store = new TCPStore(place.host(), options);
            // The one with a prefix does not keep the one behind it alive.
            return place.served() ? new PrefixStore("polder/attempt-" + place.attempt(), kept(store)) : store;
        } catch (RuntimeException e) {
            throw new IOException(
                    "rank " + rendezvous.rank() + " cannot "
                            + (listens
                                    ? "listen at port " + place.port() + " (" + firstLine(e)
                                            + "): is another process there, or another rank 0? Set MASTER_PORT to one that is free"
                                    : "talk to what listens at " + place + " (" + firstLine(e)
                                            + "): is that rank 0 of these workers?"),
                    e);
        }
    }

    /** Here and not in the engine, which would print a stack of its source for each time that nobody is there yet. */
    private static void awaitListener(Rendezvous.AtPort place, Rendezvous rendezvous) throws IOException {
        long deadline = System.nanoTime() + rendezvous.patience().toNanos();
        while (true) {
            try (var socket = new Socket()) {
                socket.connect(
                        new InetSocketAddress(place.host(), place.port()),
                        Math.toIntExact(rendezvous.timeout().toMillis()));
                return;
            } catch (IOException e) {
                if (System.nanoTime() - deadline > 0) {
                    throw new IOException(
                            "rank " + rendezvous.rank() + " did not find rank 0 at " + place + " within "
                                    + seconds(rendezvous.patience()) + " (" + e.getMessage()
                                    + "): is it started, and reachable by MASTER_ADDR and MASTER_PORT?",
                            e);
                }
                pause();
            }
        }
    }

    /** Returns when everybody is there, so that who is not can be named. */
    private static void meet(Store store, Rendezvous rendezvous) throws IOException {
        int rank = rendezvous.rank();
        int size = rendezvous.size();
        try {
            if (store.add(TAKEN + rank, 1) > 1) {
                throw new IOException(
                        "rank " + rank + " is taken by another worker: start each with a RANK of its own");
            }
            put(store, HERE + rank, Integer.toString(size));
            awaitAll(store, HERE, rendezvous);
            for (int other = 0; other < size; other++) {
                int its = Integer.parseInt(store.get_to_str(HERE + other));
                if (its != size) {
                    throw new IOException("rank " + rank + " was told of " + size + " workers and rank " + other
                            + " of " + its + ": give all the same WORLD_SIZE");
                }
            }
        } catch (RuntimeException e) {
            throw lostMeetingPlace(rank, e);
        }
    }

    /** One that ends while another still connects would be taken for a network that does not work. */
    private static void awaitConnected(Store store, Rendezvous rendezvous) throws IOException {
        try {
            put(store, CONNECTED + rendezvous.rank(), "yes");
            awaitAll(store, CONNECTED, rendezvous);
        } catch (RuntimeException e) {
            throw lostMeetingPlace(rendezvous.rank(), e);
        }
    }

    private static IOException lostMeetingPlace(int rank, RuntimeException e) {
        return new IOException("rank " + rank + " lost rank 0, where workers meet: see why it ended", e);
    }

    private static void awaitAll(Store store, String mark, Rendezvous rendezvous) throws IOException {
        int size = rendezvous.size();
        long deadline = System.nanoTime() + rendezvous.patience().toNanos();
        for (int other = 0; other < size; other++) {
            while (!has(store, mark + other)) {
                if (System.nanoTime() - deadline > 0) {
                    String missing = IntStream.range(0, size)
                            .filter(each -> !has(store, mark + each))
                            .mapToObj(Integer::toString)
                            .collect(Collectors.joining(", "));
                    throw new IOException("rank " + rendezvous.rank() + " waited " + seconds(rendezvous.patience())
                            + " for rank " + missing + " of " + size
                            + ", which did not come: start it, or see why it ended");
                }
                pause();
            }
        }
    }

    private static ProcessGroupGloo gloo(Store store, Rendezvous rendezvous) throws IOException {
        var options = ProcessGroupGloo.Options.create(
                new Milliseconds(rendezvous.patience().toMillis()));
        options.devices(new GlooDeviceVector(device(rendezvous)));
        options.threads(1);
        try {
            return new ProcessGroupGloo(store, rendezvous.rank(), rendezvous.size(), options);
        } catch (RuntimeException e) {
            throw new IOException(
                    "rank " + rendezvous.rank() + " cannot connect to the others (" + firstLine(e)
                            + "): name the network to use by GLOO_SOCKET_IFNAME, such as eth0",
                    e);
        }
    }

    /** The address at which the others reach this one: the loopback where all are here. */
    private static Device device(Rendezvous rendezvous) {
        if (rendezvous.isLocal()) {
            return ProcessGroupGloo.createDeviceForHostname("127.0.0.1");
        }
        String network = System.getenv("GLOO_SOCKET_IFNAME");
        return network == null
                ? ProcessGroupGloo.createDefaultDevice()
                : ProcessGroupGloo.createDeviceForInterface(network);
    }

    /** Takes it out of the innermost scope: it lives until it is closed. */
    private static <P extends Pointer> P kept(P pointer) {
        pointer.retainReference();
        PointerScope.getInnerScope().detach(pointer);
        return pointer;
    }

    public int rank() {
        return rendezvous.rank();
    }

    public int size() {
        return rendezvous.size();
    }

    /** How many of the workers share this machine. */
    public int localSize() {
        return rendezvous.localSize();
    }

    /** What was averaged or added up in {@link #allReduce} so far: how often, and how many bytes of numbers each worker gave. */
    public long allReduces() {
        return allReduces;
    }

    public long bytes() {
        return bytes;
    }

    /** How long this worker was in exchanges, which is waiting for the others and for the network. */
    public double secondsWaited() {
        return nanosecondsWaited * 1e-9;
    }

    /** The next exchange may take longer: one of the workers does something that the others do not. */
    public void bePatient() {
        patient = true;
    }

    /** Every worker's vector becomes the sum of all: the same bits everywhere. */
    public void allReduce(String doing, FlatVector vector) {
        allReduce(doing, vector.tensor());
    }

    /** Likewise, of a contiguous tensor. */
    public void allReduce(String doing, Tensor tensor) {
        var limit = limit();
        exchange(doing, () -> gloo.allreduce(new TensorVector(tensor), new AllreduceOptions().timeout(limit)), limit);
        allReduces++;
        bytes += tensor.numel() * tensor.element_size();
    }

    /** What each has to say, by rank. All say equally much. */
    public double[][] allGather(String doing, double... mine) {
        try (var scope = Scope.withoutGradient()) {
            var options = new TensorOptions(torch.ScalarType.Double);
            Tensor from = torch.from_blob(new DoublePointer(mine), new long[] {mine.length}, options);
            Tensor all = torch.zeros(new long[] {(long) size() * mine.length}, options);
            gather(doing, from, all);
            double[] numbers = Numbers.of(all);
            double[][] byRank = new double[size()][];
            Arrays.setAll(byRank, r -> Arrays.copyOfRange(numbers, r * mine.length, (r + 1) * mine.length));
            return byRank;
        }
    }

    /**
     * The rows of all, one rank's after the other's. In the caller's scope.
     *
     * @param mine some rows; null for none
     */
    public Tensor allGatherRows(String doing, Tensor mine) {
        double[][] kinds = allGather(doing, kind(mine));
        double[] kind = Arrays.stream(kinds)
                .filter(each -> each[0] > 0)
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException("no worker has a row"));
        long most =
                (long) Arrays.stream(kinds).mapToDouble(each -> each[0]).max().orElseThrow();
        long[] shape = new long[(int) kind[2]];
        Arrays.setAll(shape, i -> i == 0 ? most : (long) kind[3 + i]);
        torch.ScalarType type = Arrays.stream(torch.ScalarType.values())
                .filter(each -> each.value == (byte) kind[1])
                .findFirst()
                .orElseThrow();
        Tensor padded = torch.zeros(shape, new TensorOptions(type));
        if (mine != null) {
            padded.narrow(0, 0, mine.size(0)).copy_(mine);
        }
        shape[0] = most * size();
        Tensor all = torch.zeros(shape, new TensorOptions(type));
        gather(doing, padded, all);
        var rows = new TensorVector();
        for (int rank = 0; rank < size(); rank++) {
            rows.push_back(all.narrow(0, rank * most, (long) kinds[rank][0]));
        }
        return torch.cat(rows, 0);
    }

    /** How many rows, the type, and the shape: what one without rows does not know. */
    private static double[] kind(Tensor rows) {
        double[] kind = new double[3 + MOST_DIMENSIONS];
        if (rows != null) {
            long[] shape = rows.shape();
            if (shape.length > MOST_DIMENSIONS) {
                throw new IllegalArgumentException("a tensor has " + shape.length + " dimensions: it must have at most "
                        + MOST_DIMENSIONS + " to be exchanged");
            }
            kind[0] = shape[0];
            kind[1] = rows.scalar_type().value;
            kind[2] = shape.length;
            Arrays.setAll(kind, i -> i < 3 || i - 3 >= shape.length ? kind[i] : shape[i - 3]);
        }
        return kind;
    }

    private void gather(String doing, Tensor mine, Tensor all) {
        var limit = limit();
        exchange(doing, () -> gloo._allgather_base(all, mine, new AllgatherOptions().timeout(limit)), limit);
    }

    /** What rank 0 says. */
    public String broadcast(String doing, String text) {
        return new String(broadcast(doing, text.getBytes(StandardCharsets.UTF_8)), StandardCharsets.UTF_8);
    }

    private byte[] broadcast(String doing, byte[] content) {
        int length = (int) patientGather(doing, content.length)[0][0];
        if (length == 0) {
            return new byte[0];
        }
        try (var scope = Scope.withoutGradient()) {
            Tensor tensor = torch.zeros(new long[] {length}, new TensorOptions(torch.ScalarType.Byte));
            var memory = new BytePointer(tensor.data_ptr());
            if (rank() == 0) {
                memory.put(content, 0, length);
            }
            patient = true;
            var limit = limit();
            var options = new BroadcastOptions().rootRank(0).timeout(limit);
            exchange(doing, () -> gloo.broadcast(new TensorVector(tensor), options), limit);
            byte[] received = new byte[length];
            memory.get(received);
            return received;
        }
    }

    private double[][] patientGather(String doing, double... mine) {
        patient = true;
        return allGather(doing, mine);
    }

    /** Rank 0's file becomes everybody's, at a path of their own. */
    public void broadcast(String doing, Path file) throws IOException {
        if (rank() == 0) {
            try (InputStream in = Files.newInputStream(file)) {
                byte[] part;
                do {
                    part = in.readNBytes(BYTES_AT_A_TIME);
                    broadcast(doing, part);
                } while (part.length > 0);
            }
        } else {
            try (OutputStream out = Files.newOutputStream(file)) {
                for (byte[] part = broadcast(doing, new byte[0]);
                        part.length > 0;
                        part = broadcast(doing, new byte[0])) {
                    out.write(part);
                }
            } catch (IOException e) {
                throw new IOException("rank " + rank() + " cannot write " + file + " (" + Reason.of(e) + ")", e);
            }
        }
    }

    /** Gives a tensor to rank 0, which {@linkplain #receive receives} it. */
    public void send(String doing, Tensor tensor) {
        patient = true;
        exchange(doing, () -> gloo.send(new TensorVector(tensor.contiguous()), 0, 0), limit());
    }

    /** What a rank sent, of the shape and type of this one. In the caller's scope. */
    public Tensor receive(String doing, int rank, Tensor like) {
        Tensor received = torch.zeros(like.shape(), new TensorOptions(like.scalar_type()));
        patient = true;
        exchange(doing, () -> gloo.recv(new TensorVector(received), rank, 0), limit());
        return received;
    }

    /**
     * Makes sure that all workers mean the same.
     *
     * @throws IOException on every worker, if one does not
     */
    public void requireSame(String what, String mine) throws IOException {
        String expected = broadcast("the comparison of the " + what, mine);
        double[][] same = patientGather("the comparison of the " + what, expected.equals(mine) ? 1 : 0);
        for (int rank = 0; rank < size(); rank++) {
            if (same[rank][0] == 0) {
                throw new IOException("rank " + rank + " has another " + what + " than rank 0"
                        + (rank == rank() ? ", which has " + expected + " and not " + mine : "")
                        + ": start all workers alike");
            }
        }
    }

    private Milliseconds limit() {
        Duration limit = patient ? rendezvous.patience() : rendezvous.timeout();
        patient = false;
        return new Milliseconds(limit.toMillis());
    }

    private void exchange(String doing, Supplier<Work> start, Milliseconds limit) {
        long begun = System.nanoTime();
        try (var scope = Scope.open()) {
            start.get()._wait(limit);
        } catch (RuntimeException e) {
            throw lost(doing, e);
        } finally {
            nanosecondsWaited += System.nanoTime() - begun;
        }
    }

    /** Who that was, if rank 0 can be asked: over a link that is down the engine sets no limit. */
    private LostWorkerException lost(String doing, RuntimeException e) {
        var answer = new CompletableFuture<LostWorkerException>();
        var asking = new Thread(() -> answer.complete(asked(doing, e)), "polder-asks-who-is-lost");
        asking.setDaemon(true);
        asking.start();
        try {
            return answer.get(2 * SETTLING.toMillis(), TimeUnit.MILLISECONDS);
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
        } catch (ExecutionException | TimeoutException unreachable) {
            // Then it is rank 0 that is lost.
        }
        storeIsInUse = true;
        return lost(doing, List.of(0), e);
    }

    /** One that failed has said why, one that lost somebody has said so, and the others say nothing. */
    private LostWorkerException asked(String doing, RuntimeException e) {
        try {
            put(store, LOST + rank(), doing);
            List<Integer> silent = new ArrayList<>();
            long deadline = System.nanoTime() + SETTLING.toNanos();
            do {
                silent.clear();
                for (int other = 0; other < size(); other++) {
                    Optional<String> failure = said(FAILED + other);
                    if (other != rank() && failure.isPresent()) {
                        return new LostWorkerException(
                                "rank " + other + " failed, so rank " + rank() + " ends in " + doing + ": "
                                        + failure.get(),
                                e);
                    }
                    if (other != rank() && said(LOST + other).isEmpty()) {
                        silent.add(other);
                    }
                }
                pause();
            } while (!silent.isEmpty() && System.nanoTime() - deadline < 0);
            return lost(doing, silent, e);
        } catch (RuntimeException | IOException unreachable) {
            return lost(doing, List.of(0), e);
        }
    }

    private LostWorkerException lost(String doing, List<Integer> who, RuntimeException e) {
        String names = who.isEmpty()
                ? "the others"
                : "rank " + who.stream().map(Object::toString).collect(Collectors.joining(", "));
        return new LostWorkerException(
                "rank " + rank() + " of " + size() + " lost " + names + " in " + doing
                        + ": a worker was ended or hangs, or the network between them is down (" + firstLine(e) + ")",
                e);
    }

    private Optional<String> said(String key) {
        return has(store, key) ? Optional.of(store.get_to_str(key)) : Optional.empty();
    }

    /** Tells the others why this one leaves, before it does. */
    public void fail(String why) {
        try {
            put(store, FAILED + rank(), why.isBlank() ? "it gave no reason" : why);
        } catch (RuntimeException e) {
            // Nobody is left to hear it.
        }
    }

    private static void put(Store store, String key, String text) {
        store.set(key, text);
    }

    private static boolean has(Store store, String key) {
        try (var keys = new StringVector(key)) {
            return store.check(keys);
        }
    }

    private static void pause() throws IOException {
        try {
            Thread.sleep(MILLISECONDS_BETWEEN_LOOKS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IOException("interrupted while waiting for other workers", e);
        }
    }

    private static String seconds(Duration time) {
        return time.toSeconds() > 0 ? time.toSeconds() + " s" : time.toMillis() + " ms";
    }

    /** The engine's errors begin with a place in its source, and go on with a stack of it. */
    private static String firstLine(RuntimeException e) {
        String line = String.valueOf(e.getMessage()).lines().findFirst().orElse("");
        return line.replaceFirst("^\\[[^]]*\\.(cc|cpp|h):\\d+\\]\\s*", "");
    }

    @Override
    public void close() {
        gloo.close();
        if (!storeIsInUse) {
            store.close();
        }
    }
}
