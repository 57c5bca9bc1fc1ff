// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

import {PeerTest} from "./PeerTest.sol";
import {ERC20} from "@openzeppelin/contracts/token/ERC20/ERC20.sol";
import {IAllowanceTransfer} from "permit2/src/interfaces/IAllowanceTransfer.sol";
import {ISignatureTransfer} from "permit2/src/interfaces/ISignatureTransfer.sol";
import {DeployPermit2} from "permit2/test/utils/DeployPermit2.sol";

interface IUniversalRouter {
    function execute(bytes calldata commands, bytes[] calldata inputs, uint256 deadline) external payable;
}

interface IV3Factory {
    function createPool(address tokenA, address tokenB, uint24 fee) external returns (address pool);
}

interface IV3Pool {
    function initialize(uint160 sqrtPriceX96) external;
    function mint(address recipient, int24 tickLower, int24 tickUpper, uint128 amount, bytes calldata data)
        external
        returns (uint256 amount0, uint256 amount1);
}

contract PermitlessToken is ERC20("Plain", "PLN") {
    function mint(address to, uint256 amount) external {
        _mint(to, amount);
    }
}

/// @notice Measures Permit2 at its canonical address with its deployed bytecode, alone and as the signed approval of a
/// swap through the Universal Router in a Uniswap v3 pool (published bytecode of both).
contract Permit2Test is PeerTest {
    bytes32 private constant DETAILS_TYPEHASH =
        keccak256("PermitDetails(address token,uint160 amount,uint48 expiration,uint48 nonce)");
    bytes32 private constant SINGLE_TYPEHASH = keccak256(
        "PermitSingle(PermitDetails details,address spender,uint256 sigDeadline)PermitDetails(address token,uint160 amount,uint48 expiration,uint48 nonce)"
    );
    bytes32 private constant TRANSFER_TYPEHASH = keccak256(
        "PermitTransferFrom(TokenPermissions permitted,address spender,uint256 nonce,uint256 deadline)TokenPermissions(address token,uint256 amount)"
    );
    bytes32 private constant PERMISSIONS_TYPEHASH = keccak256("TokenPermissions(address token,uint256 amount)");
    uint160 private constant SQRT_PRICE_1_1 = 79_228_162_514_264_337_593_543_950_336;
    uint24 private constant FEE = 3000;
    uint256 private constant AMOUNT = 1_000e18;

    address private immutable USER;
    uint256 private immutable USER_KEY;
    address private immutable SPENDER = makeAddr("spender");
    address private immutable RECEIVER = makeAddr("receiver");
    address private _permit2;
    PermitlessToken private _tokenIn;
    PermitlessToken private _tokenOut;
    address private _router;

    constructor() {
        (USER, USER_KEY) = makeAddrAndKey("user");
    }

    function setUp() public {
        vm.warp(20_000 days);
        _permit2 = new DeployPermit2().deployPermit2();
        PermitlessToken a = new PermitlessToken();
        PermitlessToken b = new PermitlessToken();
        (_tokenIn, _tokenOut) = address(a) < address(b) ? (a, b) : (b, a);
        _tokenIn.mint(USER, 1e24);
        _tokenIn.mint(RECEIVER, 1);
        _tokenOut.mint(RECEIVER, 1);
        vm.prank(USER);
        _tokenIn.approve(_permit2, type(uint256).max);
        _openPool();
        _swapBefore();
    }

    function test_TransferFrom_FiniteAllowance() public {
        vm.prank(USER);
        IAllowanceTransfer(_permit2).approve(address(_tokenIn), SPENDER, 10 * uint160(AMOUNT), type(uint48).max);
        vm.prank(SPENDER);
        IAllowanceTransfer(_permit2).transferFrom(USER, RECEIVER, uint160(AMOUNT), address(_tokenIn));
        _record("Permit2", "transferFrom to a third party, finite allowance");
    }

    function test_Permit_First() public {
        (IAllowanceTransfer.PermitSingle memory permit, bytes memory signature) = _signAllowance(SPENDER, 0);
        vm.prank(SPENDER);
        IAllowanceTransfer(_permit2).permit(USER, permit, signature);
        _record("Permit2", "first permit of an owner");
    }

    function test_SignedTransfer() public {
        uint256 deadline = block.timestamp + 1 hours;
        ISignatureTransfer.TokenPermissions memory permitted =
            ISignatureTransfer.TokenPermissions(address(_tokenIn), AMOUNT);
        bytes32 structHash = keccak256(
            abi.encode(
                TRANSFER_TYPEHASH, keccak256(abi.encode(PERMISSIONS_TYPEHASH, permitted)), SPENDER, uint256(0), deadline
            )
        );
        bytes memory signature = _sign(structHash);
        vm.prank(SPENDER);
        ISignatureTransfer(_permit2)
            .permitTransferFrom(
                ISignatureTransfer.PermitTransferFrom(permitted, 0, deadline),
                ISignatureTransfer.SignatureTransferDetails(RECEIVER, AMOUNT),
                USER,
                signature
            );
        _record("Permit2", "signed transfer, first of an owner");
    }

    function test_UniversalRouterSwap_SignedPermit() public {
        string[2] memory names = ["swap, owner's first permit", "swap, owner's second permit"];
        for (uint48 nonce = 0; nonce < 2; ++nonce) {
            (IAllowanceTransfer.PermitSingle memory permit, bytes memory signature) = _signAllowance(_router, nonce);
            bytes[] memory inputs = new bytes[](2);
            inputs[0] = abi.encode(permit, signature);
            vm.prank(USER);
            // PERMIT2_PERMIT, V3_SWAP_EXACT_IN
            _execute(hex"0a00", inputs);
            _record("Universal Router, v3 pool", names[nonce]);
        }
        vm.startPrank(USER);
        IAllowanceTransfer(_permit2).approve(address(_tokenIn), _router, type(uint160).max, type(uint48).max);
        _execute(hex"00", new bytes[](1));
        vm.stopPrank();
        _record("Universal Router, v3 pool", "swap, approved before");
    }

    function uniswapV3MintCallback(uint256 owed0, uint256 owed1, bytes calldata) external {
        _tokenIn.mint(msg.sender, owed0);
        _tokenOut.mint(msg.sender, owed1);
    }

    function _openPool() private {
        bytes memory poolCode =
            vm.getCode("node_modules/@uniswap/v3-core/artifacts/contracts/UniswapV3Pool.sol/UniswapV3Pool.json");
        address factory =
            _deployPublished("@uniswap/v3-core/artifacts/contracts/UniswapV3Factory.sol/UniswapV3Factory.json", "");
        IV3Pool pool = IV3Pool(IV3Factory(factory).createPool(address(_tokenIn), address(_tokenOut), FEE));
        pool.initialize(SQRT_PRICE_1_1);
        pool.mint(address(this), -887_220, 887_220, 1e24, "");

        address[10] memory none;
        none[0] = _permit2;
        none[3] = factory;
        // RouterParameters: a static struct of ten words, the pool's init code hash in the sixth.
        bytes memory parameters = abi.encode(none);
        bytes32 initCodeHash = keccak256(poolCode);
        assembly ("memory-safe") {
            mstore(add(parameters, 0xc0), initCodeHash)
        }
        _router = _deployPublished(
            "@uniswap/universal-router/artifacts/contracts/UniversalRouter.sol/UniversalRouter.json", parameters
        );
    }

    /// Makes another account's swap, so that the pool's fee growth is above zero.
    function _swapBefore() private {
        address other = makeAddr("other");
        _tokenIn.mint(other, AMOUNT);
        vm.startPrank(other);
        _tokenIn.approve(_permit2, type(uint256).max);
        IAllowanceTransfer(_permit2).approve(address(_tokenIn), _router, type(uint160).max, type(uint48).max);
        _execute(hex"00", new bytes[](1));
        vm.stopPrank();
    }

    /// Executes commands, the swap last.
    function _execute(bytes memory commands, bytes[] memory inputs) private {
        bytes memory path = abi.encodePacked(address(_tokenIn), FEE, address(_tokenOut));
        inputs[inputs.length - 1] = abi.encode(RECEIVER, AMOUNT, uint256(1), path, true);
        IUniversalRouter(_router).execute(commands, inputs, block.timestamp + 1);
    }

    function _signAllowance(address spender, uint48 nonce)
        private
        view
        returns (IAllowanceTransfer.PermitSingle memory permit, bytes memory signature)
    {
        permit = IAllowanceTransfer.PermitSingle(
            IAllowanceTransfer.PermitDetails(
                address(_tokenIn), uint160(AMOUNT), uint48(block.timestamp + 1 hours), nonce
            ),
            spender,
            block.timestamp + 1 hours
        );
        signature = _sign(
            keccak256(
                abi.encode(
                    SINGLE_TYPEHASH,
                    keccak256(abi.encode(DETAILS_TYPEHASH, permit.details)),
                    permit.spender,
                    permit.sigDeadline
                )
            )
        );
    }

    function _sign(bytes32 structHash) private view returns (bytes memory signature) {
        bytes32 separator = IAllowanceTransfer(_permit2).DOMAIN_SEPARATOR();
        (uint8 v, bytes32 r, bytes32 s) =
            vm.sign(USER_KEY, keccak256(abi.encodePacked(hex"1901", separator, structHash)));
        return abi.encodePacked(r, s, v);
    }
}
